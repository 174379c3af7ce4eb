import type { Clock } from '../../core/clock.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import { invalidApiKey } from '../../core/invalid-api-key.ts'
import type { Principal } from '../../core/principal.ts'
import { StoreUnavailable } from '../../core/store-error.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { hashSecretText } from './api-key.ts'
import { readBearer } from './bearer.ts'
import type { IdentityStore } from './identity-store.ts'
import { isKeyUsable } from './key-policy.ts'
import type { KnownKey } from './types.ts'

/** Half of the second in which a revocation must take effect, also when another process revoked the key. */
const cacheTtlMs = 500
const knownKeysMax = 10_000
/** Fewer: whoever sends random keys must not push out much. */
const unknownKeysMax = 1_000
const lookupsMax = 10_000
const storeRetrySeconds = 2

export interface IdentityOptions {
  readonly store: Pick<IdentityStore, 'findKeyByHash'>
  readonly clock: Clock
  /** The installation's secret, under which keys are hashed. */
  readonly secret: Buffer
}

/** Finds the caller behind an `Authorization` header. Both reject with invalid_api_key or ledger_unavailable. */
export interface Identity {
  authenticate(authorization: string | undefined): Promise<Principal>
  /** The key and its account, for what shows them to their holder. */
  identify(authorization: string | undefined): Promise<KnownKey>
}

interface Caller {
  readonly known: KnownKey
  readonly principal: Principal
}

export function createIdentity({ store, clock, secret }: IdentityOptions): Identity {
  const callers = createTtlCache<string, Caller>({ entriesMax: knownKeysMax, ttlMs: cacheTtlMs })
  const strangers = createTtlCache<string, true>({ entriesMax: unknownKeysMax, ttlMs: cacheTtlMs })
  const lookups = createSingleFlight<string, Caller | null>({ flightsMax: lookupsMax })

  /** Times count from the look-up's beginning: what it read may have changed since. */
  async function lookUp(hash: Buffer, name: string): Promise<Caller | null> {
    const beganMs = clock.monotonic()
    const known = await store.findKeyByHash(hash)
    if (known === null) {
      strangers.set(name, true, beganMs)
      return null
    }
    const caller = { known, principal: principalOf(known) }
    callers.set(name, caller, beganMs)
    return caller
  }

  /** Caches are keyed by the hash: no key is kept in memory, and comparing names tells nothing about a key. */
  async function find(text: string): Promise<Caller | null> {
    const hash = hashSecretText(text, secret)
    const name = hash.toString('base64')
    const nowMs = clock.monotonic()
    const cached = callers.get(name, nowMs)
    if (cached !== undefined) return cached
    if (strangers.get(name, nowMs) === true) return null
    try {
      return await lookups.run(name, () => lookUp(hash, name))
    } catch (error) {
      throw error instanceof StoreUnavailable ? keysUnavailable(error) : error
    }
  }

  async function authenticated(authorization: string | undefined): Promise<Caller> {
    const text = readBearer(authorization)
    const caller = text === null ? null : await find(text)
    if (caller === null || !isKeyUsable(caller.known.key, clock.now())) throw invalidApiKey()
    return caller
  }

  return {
    authenticate: async authorization => (await authenticated(authorization)).principal,
    identify: async authorization => (await authenticated(authorization)).known,
  }
}

function principalOf({ key, account }: KnownKey): Principal {
  return {
    accountId: account.id,
    accountName: account.name,
    keyId: key.id,
    keyType: key.type,
    allowedModels: key.allowedModels === null ? null : new Set(key.allowedModels),
    privacy: key.privacy,
    pro: account.pro,
  }
}

function keysUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    'ledger_unavailable',
    'Keys cannot be checked now, so nothing was started. Try again shortly.',
    {
      retryAfterSeconds: storeRetrySeconds,
      cause,
    },
  )
}
