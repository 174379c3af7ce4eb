import { expect, test } from 'vitest'
import { keysNeedingRestart } from './changed-keys.ts'
import { loadConfig } from './load-config.ts'

const source = {
  fileName: 'rialto.yaml',
  lookup: () => undefined,
  folder: '/etc/rialto',
  dataFolder: '/data',
  adminToken: null,
  createdSeconds: 0,
}

const changed = (before: string, after: string): readonly string[] =>
  keysNeedingRestart(loadConfig(before, source), loadConfig(after, source))

test.each([
  ['server: { host: 0.0.0.0 }', ['server.host']],
  ['server: { port: 1 }', ['server.port']],
  ['store: sqlite:other.db', ['store']],
  ['store: postgres://u:p@h:5432/rialto', ['store']],
  ['keys: { prefix: sk- }', ['keys.prefix']],
  ['metrics: { listen: "127.0.0.1:9090" }', ['metrics.listen']],
  ['server: { host: 0.0.0.0, port: 1 }', ['server.host', 'server.port']],
  ['server: { publicUrl: "https://api.example" }', ['server.publicUrl']],
  ['server: { trustProxy: [10.0.0.0/8] }', ['server.trustProxy']],
  ['server: { regionHeader: cf-ipcountry }', ['server.regionHeader']],
])('%s needs a restart', (text, keys) => {
  expect(changed('', text)).toEqual(keys)
  expect(changed(text, '')).toEqual(keys)
})

test('a changed password of the store needs a restart', () => {
  expect(changed('store: postgres://u:a@h:5432/rialto', 'store: postgres://u:b@h:5432/rialto')).toEqual(['store'])
})

test('everything else takes effect at once', () => {
  const text = `ownedBy: me
limits: { overdraftUsd: 0 }
engines: [{ id: e, kind: embedded }]
models: [{ id: m, served: [{ engine: e, model: x }] }]
admin: { token: token }
`
  expect(changed('', text)).toEqual([])
  expect(changed(text, text)).toEqual([])
})
