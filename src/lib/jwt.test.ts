import { expect, test } from 'vitest'
import { signJwt, verifyJwt } from './jwt.ts'

const key = Buffer.alloc(32, 7)
const token = signJwt({ aud: 'test', exp: 5 }, key)
const [header = '', payload = '', signature = ''] = token.split('.')
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('the example of RFC 7515 (A.1) is signed as it says', () => {
  const rfcKey = Buffer.from(
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    'base64url',
  )
  const rfcToken =
    'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.' +
    'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.' +
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  expect(verifyJwt(rfcToken, rfcKey)).toEqual({ iss: 'joe', exp: 1_300_819_380, 'http://example.com/is_root': true })
})

test('claims come back as they were signed', () => {
  expect(verifyJwt(token, key)).toEqual({ aud: 'test', exp: 5 })
})

test.each([
  ['another key', token, Buffer.alloc(32, 8)],
  ['other claims', `${header}.${encode({ aud: 'test', exp: 9 })}.${signature}`, key],
  ['another signature', `${header}.${payload}.${signature.replace(/^./, first => (first === 'A' ? 'B' : 'A'))}`, key],
  ['no algorithm', `${encode({ alg: 'none' })}.${payload}.${signature}`, key],
  ['another algorithm', `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`, key],
])('%s is unsigned', (_, text, withKey) => {
  expect(verifyJwt(text, withKey)).toBe('unsigned')
})

test.each([
  '',
  'a.b',
  `${token}.x`,
  `${header}.${payload}.`,
  `${header}.${payload}.${signature}=`,
  ` ${token}`,
  `${header}.${encode([1])}.${signature}`,
  `bm90IGpzb24.${payload}.${signature}`,
  `${header}.${'x'.repeat(2_000)}.${signature}`,
])('%j is malformed', text => {
  expect(verifyJwt(text, key)).toBe('malformed')
})
