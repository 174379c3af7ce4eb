import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../lib/secret.ts'
import { cleanLogFields } from './clean-log-fields.ts'

const planted = 'planted-secret-of-the-test'
const clean = (fields: Record<string, unknown>, showStacks = false) => cleanLogFields(fields, { showStacks })

test.each([
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'Set-Cookie',
  'x-api-key',
  'apiKey',
  'api_key',
  'walletKeyFile',
  'clientSecret',
  'RIALTO_SECRET',
  'accessToken',
  'token',
  'password',
])('nothing under the name %s is shown, at any depth', name => {
  const shown = clean({ [name]: planted, headers: { [name]: [planted] }, list: [{ [name]: { deep: planted } }] })
  expect(JSON.stringify(shown)).not.toContain(planted)
  expect(shown[name]).toBe('[redacted]')
})

test('counts of tokens, answers and names of keys are shown', () => {
  const fields = { promptTokens: 12, hasKey: true, keyId: 'key_1', keyType: 'admin', apiKey: null }
  expect(clean(fields)).toEqual(fields)
})

test('credentials inside a text are cut out', () => {
  const texts = [
    `Bearer ${planted}`,
    `sent authorization: bearer ${planted} to it`,
    'vk-0123456789abcdefXYZ',
    'sk-proj-0123456789abcdef',
  ]
  const shown = JSON.stringify(clean({ texts, error: new Error(texts.join(' ')) }))
  expect(shown).not.toMatch(/planted|0123456789/)
  expect(clean({ text: 'vk-short, risk-averse-and-long-words' })).toEqual({
    text: 'vk-short, risk-averse-and-long-words',
  })
})

test('a secret shows as [secret]', () => {
  expect(clean({ value: new Secret(planted) })).toEqual({ value: '[secret]' })
})

test('an error is its name, message, code and causes, and shows where it was thrown to those who ask', () => {
  const cause = Object.assign(new TypeError('inner'), { code: 'ECONNRESET' })
  const error = new Error('outer', { cause })
  expect(clean({ error })).toEqual({
    error: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner', code: 'ECONNRESET' } },
  })
  expect(clean({ error }, true)).toMatchObject({ error: { stack: expect.stringContaining('clean-log-fields.test') } })
})

test('what JSON cannot say is said otherwise', () => {
  const fields = {
    amount: 10n ** 20n,
    when: new Date(0),
    never: new Date(Number.NaN),
    bytes: Buffer.from('abc'),
    map: new Map([['a', 1]]),
    set: new Set([1]),
    run: () => 1,
    absent: undefined,
  }
  expect(clean(fields)).toEqual({
    amount: '100000000000000000000',
    when: '1970-01-01T00:00:00.000Z',
    never: 'Invalid Date',
    bytes: '[3 bytes]',
    map: { a: 1 },
    set: [1],
    run: '[function]',
  })
})

test('fields cannot stand in for level, time and event', () => {
  expect(clean({ level: 'x', time: 1, event: 'y' })).toEqual({ level_: 'x', time_: 1, event_: 'y' })
})

test('a circle ends, and an object that cannot be read costs only its fields', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  expect(JSON.stringify(clean({ circle }))).toContain('[object]')
  const broken = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => Number.parseInt.call(null, Symbol.iterator as never),
  })
  expect(clean({ broken })).toEqual({ fieldsUnreadable: true })
})

test('whatever the fields are, the result is bounded, plain, and can be written', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string(),
        fc.anything({
          maxDepth: 6,
          maxKeys: 100,
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
        }),
      ),
      fields => {
        expect(JSON.stringify(clean(fields)).length).toBeLessThan(2_000_000)
      },
    ),
    { numRuns: 300 },
  )
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, 'x'.repeat(5_000)]))
  const shown = clean(wide)
  expect(Object.keys(shown)).toHaveLength(41)
  expect(shown['n0']).toHaveLength(1_025)
})
