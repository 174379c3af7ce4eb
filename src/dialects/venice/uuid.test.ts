import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyIdOf, uuidOfCharacter, uuidOfKey } from './uuid.ts'

/** What strict clients take for a UUID (RFC 9562, as zod and the `uuid` package have it). */
const strictUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const keyIds = fc.uint8Array({ minLength: 12, maxLength: 12 }).map(bytes => `key_${Buffer.from(bytes).toString('hex')}`)

test('every key id becomes a UUID, and the UUID the same id again, in whatever case it is written', () => {
  fc.assert(
    fc.property(keyIds, keyId => {
      const uuid = uuidOfKey(keyId)
      expect(uuid).toMatch(strictUuid)
      expect([keyIdOf(uuid), keyIdOf(uuid.toUpperCase())]).toEqual([keyId, keyId])
    }),
  )
})

test.each([
  '',
  'key_0123456789abcdef01234567',
  '01234567-89ab-4def-8012-345670000000',
  '01234567-89ab-8def-9012-345670000000',
  '01234567-89ab-8cde-8f01-234567000001',
  ' 01234567-89ab-8cde-8f01-234567000000',
])('%j names no key', text => {
  expect(keyIdOf(text)).toBeNull()
})

test('an id of another form is a fault of ours', () => {
  expect(() => uuidOfKey('acc_0123456789abcdef01234567')).toThrow(RangeError)
})

test('a character has one id, another slug another one', () => {
  expect(uuidOfCharacter('demo-sage')).toMatch(strictUuid)
  expect(uuidOfCharacter('demo-sage')).toBe(uuidOfCharacter('demo-sage'))
  expect(uuidOfCharacter('demo-sage')).not.toBe(uuidOfCharacter('demo-sages'))
})
