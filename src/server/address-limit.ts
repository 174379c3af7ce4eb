import { isIPv6 } from 'node:net'
import type { Clock } from '../core/clock.ts'
import { GatewayError } from '../core/gateway-error.ts'
import { millisecondsUntil, refill, type TokenBucket, take } from '../lib/token-bucket.ts'
import { createTtlCache } from '../lib/ttl-cache.ts'

/** Addresses that are remembered; of more at a time the one that asked longest ago is forgotten, and begins anew. */
const addressesMax = 10_000
/** After a minute without requests a bucket is full, as one that was never used. */
const minuteMs = 60_000

/**
 * How often one address may ask for what needs no key. Each process counts for itself: what is asked here costs no money,
 * and a count in the store would cost more than an answer.
 */
export interface AddressLimit {
  /** @throws GatewayError rate_limit_exceeded */
  take(address: string): void
}

export function createAddressLimit(perMinute: number, clock: Pick<Clock, 'now' | 'monotonic'>): AddressLimit {
  const buckets = createTtlCache<string, TokenBucket>({ entriesMax: addressesMax, ttlMs: minuteMs })
  return {
    take(address) {
      const name = networkOf(address)
      const bucket = refill(buckets.get(name, clock.monotonic()) ?? null, perMinute, clock.now())
      const left = take(bucket, 1)
      buckets.set(name, left ?? bucket, clock.monotonic())
      if (left === null) throw tooMany(perMinute, Math.ceil(millisecondsUntil(bucket, 1, perMinute) / 1_000))
    },
  }
}

/** Whoever has one address of IPv6 has all of its network. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  const whole = [...groups, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...(tail ?? '').split(':')]
  return whole
    .slice(0, 4)
    .map(group => group || '0')
    .join(':')
}

function tooMany(perMinute: number, retryAfterSeconds: number): GatewayError {
  const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}`
  const message = `At most ${perMinute} requests a minute are taken from one address: try again in ${wait}.`
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds })
}
