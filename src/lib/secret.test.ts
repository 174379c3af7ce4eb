import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret, secretOrNull } from './secret.ts'

const planted = 'sk-planted-in-the-test'

test('a secret prints as [secret] however it is shown', () => {
  const secret = new Secret(planted)
  const shown = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ nested: [secret] }, { depth: 9, showHidden: true }),
    format('%s %o %j', secret, secret, secret),
  ]
  for (const text of shown) {
    expect(text).toContain('[secret]')
    expect(text).not.toContain(planted)
  }
})

test('a secret gives its text to whoever asks for it by name', () => {
  expect(new Secret(planted).reveal()).toBe(planted)
})

test('missing or empty text is no secret', () => {
  expect(secretOrNull(undefined)).toBeNull()
  expect(secretOrNull('')).toBeNull()
  expect(secretOrNull(' ')?.reveal()).toBe(' ')
})
