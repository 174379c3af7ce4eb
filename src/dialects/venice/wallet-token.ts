import { createHash, createHmac } from 'node:crypto'
import type { KeyId } from '../../core/ids.ts'
import type { JsonValue } from '../../lib/json.ts'
import { signJwt, verifyJwt } from '../../lib/jwt.ts'

/** The minutes in which a wallet may sign a token. */
const lifeSeconds = 900
const audience = 'generate_web3_key'
const idDigits = 24

/** What tokens are made with. */
export interface TokenGround {
  /** The installation's secret. */
  readonly secret: Buffer
  /** Names this gateway in tokens. */
  readonly publicUrl: string
  readonly nowMs: number
}

/** A text for a wallet to sign, made so that only this gateway can have made it (venice.md §6.4). */
export function createWalletToken({ secret, publicUrl, nowMs }: TokenGround, nonce: string): string {
  const iat = Math.floor(nowMs / 1_000)
  return signJwt({ iss: publicUrl, aud: audience, iat, exp: iat + lifeSeconds, jti: nonce }, tokenKey(secret))
}

/** Why a token does not count, in the words that clients know; null for one that does. */
export function judgeWalletToken(token: string, { secret, publicUrl, nowMs }: TokenGround): string | null {
  const claims = verifyJwt(token, tokenKey(secret))
  if (claims === 'malformed') return 'JWT is malformed'
  if (claims === 'unsigned') return 'JWT signature is invalid'
  const { iss, aud, exp } = claims
  if (iss !== publicUrl || aud !== audience || !isTime(exp)) return 'JWT claims are invalid'
  return exp * 1_000 > nowMs ? null : 'JWT has expired'
}

/**
 * The id of the one key that an address gets for a token. Whoever sees a signed token in its minutes and sends it again,
 * for an admin key even, asks for an id that is taken. It holds the address, so that nobody uses up another wallet's token.
 */
export function walletKeyId(token: string, address: string): KeyId {
  const digest = createHash('sha256').update(`${token}\0${address.toLowerCase()}`).digest('hex')
  return `key_${digest.slice(0, idDigits)}`
}

function isTime(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

/** A key of its own, so that no token can stand for anything else that the secret protects. */
function tokenKey(secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${audience}\0`).digest()
}
