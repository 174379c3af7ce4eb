import { GatewayError } from '../../core/gateway-error.ts'
import { sha256Steps } from '../../lib/hash-steps.ts'
import { inTurns } from '../../lib/turns.ts'

const keySyntax = /^[A-Za-z0-9_-]{1,255}$/

/**
 * Checks the value of an `Idempotency-Key` header (reliability.md §6.5).
 * @throws GatewayError invalid_value
 */
export function checkIdempotencyKey(key: string): string {
  if (keySyntax.test(key)) return key
  throw new GatewayError(
    'invalid_value',
    '`Idempotency-Key` must be 1 to 255 characters of A-Z, a-z, 0-9, `_` and `-`.',
    { param: 'Idempotency-Key' },
  )
}

/** SHA-256 of the body's bytes: what tells a repeated request from another one under the same key. */
export function fingerprintBody(body: Buffer): Promise<Buffer> {
  return inTurns(sha256Steps(body))
}
