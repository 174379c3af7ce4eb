import type { Clock } from '../core/clock.ts'
import { GatewayError } from '../core/gateway-error.ts'
import type { Random } from '../core/random.ts'
import { type IssuedKey, issueApiKey, type KeyOrder } from '../domain/identity/api-key.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'

/** What an account may do by itself (venice.md §5.2); its operator may make more. */
const keysActiveMax = 500
const keysPerMinuteMax = 20
const minuteMs = 60_000
const retryAfterSeconds = 60

export interface KeyDesk {
  readonly identity: Pick<IdentityStore, 'createKeyWithin'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly prefix: string
  readonly secret: Buffer
}

/**
 * Makes a key for an account that asks for it itself. The key's text is in the result and nowhere else.
 * @throws GatewayError bad_request when the account has as many keys as it may; rate_limit_exceeded
 * @throws StoreConflict when the order has an id of which a key was made
 */
export async function issueKeyWithin({ identity, clock, ...issuer }: KeyDesk, order: KeyOrder): Promise<IssuedKey> {
  const nowMs = clock.now()
  const issued = issueApiKey(order, { ...issuer, nowMs })
  const quota = { activeMax: keysActiveMax, newMax: keysPerMinuteMax, newSinceMs: nowMs - minuteMs }
  switch (await identity.createKeyWithin(issued.key, issued.hash, quota)) {
    case 'too_many_active':
      throw new GatewayError(
        'bad_request',
        `This account has ${keysActiveMax} active API keys, which is as many as it may have: delete one first.`,
      )
    case 'too_many_new':
      throw new GatewayError(
        'rate_limit_exceeded',
        `At most ${keysPerMinuteMax} API keys can be made in a minute: try again in a minute.`,
        { retryAfterSeconds },
      )
    case 'created':
      return issued
  }
}
