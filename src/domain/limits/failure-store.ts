import type { FailureBucket, FailureCounts, FailureKind } from './types.ts'

/**
 * Buckets of one owner that count at a time. Whoever makes up a user for each request has all further ones counted
 * together, in the bucket without a user.
 */
export const bucketsPerOwnerMax = 256

export interface CountedFailure {
  readonly bucket: FailureBucket
  readonly kind: FailureKind
  readonly windowMs: number
  readonly nowMs: number
}

/** Port: failures of callers, counted once for all gateways on the store. */
export interface FailureStore {
  /** Counts one, in one transaction, and resolves with what its bucket counted since the window began, this one included. */
  count(failure: CountedFailure): Promise<FailureCounts>
  /** What is stored of a bucket, whether or not its window still lasts; null when there is nothing. */
  read(bucket: FailureBucket): Promise<FailureCounts | null>
  /** Removes at most so many of those whose windows ended before; resolves with how many there were. */
  prune(endedBeforeMs: number, limit: number): Promise<number>
}
