import { giveBack, refill } from '../../lib/token-bucket.ts'
import type { BucketState, Limit } from './types.ts'

/**
 * Corrects a token bucket when a request is settled: admission took an upper bound, and what was not used flows back.
 * A bucket never gave more than its capacity, so a request larger than that counts as the capacity here too.
 * `taken` and `used` are tokens; a bucket without a limit has no state.
 */
export function giveBackUnused(
  bucket: BucketState | null,
  limit: Limit,
  tokens: { readonly taken: number; readonly used: number; readonly nowMs: number },
): BucketState | null {
  if (limit === 'unlimited') return null
  const unused = Math.min(tokens.taken, limit) - tokens.used
  return giveBack(refill(bucket, limit, tokens.nowMs), unused, limit)
}
