import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashSecretText } from './api-key.ts'
import { isOperator, newOperatorToken } from './operator-token.ts'

const secret = Buffer.alloc(32, 7)
const token = newOperatorToken({ bytes: randomBytes, hex: count => randomBytes(count).toString('hex') })
const installation = { tokenHash: hashSecretText(token, secret), secret }

it('knows the operator by the token alone', () => {
  expect(token).toMatch(/^rialto-operator-[0-9A-Za-z]{43}$/)
  expect(isOperator(`Bearer ${token}`, installation)).toBe(true)
})

it.each([undefined, '', token, `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`, 'Bearer x'])(
  'does not take %j for the operator',
  header => {
    expect(isOperator(header, installation)).toBe(false)
  },
)

it('knows nobody while there is no token, nor under another secret', () => {
  expect(isOperator(`Bearer ${token}`, { tokenHash: null, secret })).toBe(false)
  expect(isOperator(`Bearer ${token}`, { ...installation, secret: Buffer.alloc(32, 8) })).toBe(false)
})
