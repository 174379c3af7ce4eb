import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../lib/json.ts'
import { signJwt } from '../../lib/jwt.ts'
import { createWalletToken, judgeWalletToken } from './wallet-token.ts'

const ground = {
  secret: Buffer.from('a secret of the installation'),
  publicUrl: 'https://gateway.test',
  nowMs: 1_000_500,
}
const token = createWalletToken(ground, 'nonce')

/** A token with the gateway's own signature and other claims. */
function signed(claims: JsonObject): string {
  return signJwt(claims, createHmac('sha256', ground.secret).update('generate_web3_key\0').digest())
}

test('a token counts for fifteen minutes', () => {
  const at = (seconds: number) => judgeWalletToken(token, { ...ground, nowMs: 1_000_000 + seconds * 1_000 })
  expect([at(0), at(899), at(900)]).toEqual([null, null, 'JWT has expired'])
})

const claims = { iss: ground.publicUrl, aud: 'generate_web3_key', exp: 2_000 }

test.each([
  ['JWT is malformed', 'token'],
  ['JWT signature is invalid', createWalletToken({ ...ground, secret: Buffer.from('another secret') }, 'nonce')],
  ['JWT claims are invalid', createWalletToken({ ...ground, publicUrl: 'https://other.test' }, 'nonce')],
  ['JWT claims are invalid', signed({ ...claims, aud: 'something else' })],
  ['JWT claims are invalid', signed({ ...claims, exp: 'never' })],
  ['JWT claims are invalid', signed({ iss: ground.publicUrl, aud: 'generate_web3_key' })],
])('%s', (reason, text) => {
  expect(judgeWalletToken(text, ground)).toBe(reason)
  expect(judgeWalletToken(signed(claims), ground)).toBeNull()
})
