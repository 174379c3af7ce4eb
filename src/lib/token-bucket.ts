/**
 * Token bucket arithmetic: a bucket holds at most a minute's allowance and refills evenly, `perMinute / 60` a second.
 * Levels are fractional; nothing is counted in windows, so there is no border at which a double allowance passes.
 */
export interface TokenBucket {
  /** Tokens in the bucket at `atMs`, from 0 to `perMinute`. */
  readonly level: number
  /** Wall time in milliseconds for which the level is true. */
  readonly atMs: number
}

const minuteMs = 60_000

/** What floating point may lose between two levels: without it a caller who waited exactly as told could be one short. */
const roundingTolerance = 1e-6

/**
 * How far another writer's clock may be ahead of ours. Within it the bucket keeps its own time, so that writers who
 * disagree never refill the same second twice; beyond it the stored time is a broken clock's and ours is adopted, so
 * that the bucket does not stand still until that time comes.
 */
export const clockSkewMaxMs = minuteMs

/** The bucket as it is now; null is one that nobody used yet, which is full. A clock that went back adds nothing. */
export function refill(bucket: TokenBucket | null, perMinute: number, nowMs: number): TokenBucket {
  if (bucket === null) return { level: perMinute, atMs: nowMs }
  const elapsedMs = nowMs - bucket.atMs
  if (elapsedMs < -clockSkewMaxMs) return { level: Math.min(bucket.level, perMinute), atMs: nowMs }
  const gained = (Math.max(elapsedMs, 0) * perMinute) / minuteMs
  return { level: Math.min(bucket.level + gained, perMinute), atMs: Math.max(bucket.atMs, nowMs) }
}

/** The bucket without the amount, or null when that much is not there. Takes nothing in that case. */
export function take(bucket: TokenBucket, amount: number): TokenBucket | null {
  if (bucket.level + roundingTolerance < amount) return null
  return { level: Math.max(bucket.level - amount, 0), atMs: bucket.atMs }
}

/** The bucket with tokens returned that were taken and not used, never above its capacity. */
export function giveBack(bucket: TokenBucket, tokens: number, perMinute: number): TokenBucket {
  return { level: Math.min(bucket.level + Math.max(tokens, 0), perMinute), atMs: bucket.atMs }
}

/** Whole milliseconds until the amount is there, from the bucket's own time on; Infinity when it never will be. */
export function millisecondsUntil(bucket: TokenBucket, amount: number, perMinute: number): number {
  if (bucket.level + roundingTolerance >= amount) return 0
  if (amount > perMinute) return Number.POSITIVE_INFINITY
  return Math.ceil(((amount - bucket.level) * minuteMs) / perMinute)
}
