import { expect, test } from 'vitest'
import { keysNeedingRestart } from './changed-keys.ts'
import { loadConfig } from './load-config.ts'
import { fingerprintOf, withOwnSections } from './own-sections.ts'

const source = {
  fileName: 'rialto.yaml',
  lookup: () => undefined,
  folder: '/etc/rialto',
  dataFolder: '/data',
  adminToken: null,
  createdSeconds: 0,
}
const load = (text: string) => loadConfig(text, source)

const shared = `ownedBy: all
limits: { overdraftUsd: 0.25, tiers: { XS: { rpm: 7 } } }
engines: [{ id: a, baseUrl: "http://h/v1", apiKey: "\${KEY:-none}" }]
`
const here = 'server: { host: 10.0.0.1, port: 1 }\nstore: sqlite:here.db\nmetrics: { listen: "127.0.0.1:1" }\n'
const there = 'server: { host: 10.0.0.2, port: 2 }\nstore: sqlite:there.db\nkeys: { prefix: x- }\n'

test('what needs a restart stays what it is in the file of the gateway itself', () => {
  const own = load(here)
  const followed = withOwnSections(load(there + shared), own)
  expect(keysNeedingRestart(own, followed)).toEqual([])
  expect(followed.server.publicUrl).toBe('http://10.0.0.1:1')
  expect([followed.ownedBy, followed.engines.map(({ id }) => id)]).toEqual(['all', ['a']])
})

test.each([
  ['own sections', here + shared, there + shared],
  ['comments and the order of keys', shared, shared.split('\n').reverse().join('\n# a comment\n')],
  ['how a value is written', 'ownedBy: all', '"ownedBy": "all"'],
  ['a file that says nothing', '', '# nothing\n'],
])('texts that differ only in %s have the same fingerprint', (_, one, other) => {
  expect(fingerprintOf(one)).toBe(fingerprintOf(other))
})

test.each([
  ['a value', shared, shared.replace('0.25', '0.26')],
  ['the order of a list', 'models: [{ id: a }, { id: b }]', 'models: [{ id: b }, { id: a }]'],
  ['a reference', shared, shared.replace('KEY', 'OTHER')],
  ['a key', shared, shared.replace('ownedBy: all', '')],
])('texts that differ in %s have two fingerprints', (_, one, other) => {
  expect(fingerprintOf(one)).not.toBe(fingerprintOf(other))
})
