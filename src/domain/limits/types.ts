import type { AccountId, KeyId } from '../../core/ids.ts'
import type { Limit } from '../../core/rate-view.ts'

export type { Limit, RateView } from '../../core/rate-view.ts'

/** Of an account for a model, or of a key. */
export interface RateLimits {
  readonly requestsPerMinute: Limit
  readonly tokensPerMinute: Limit
  /** Days begin at 00:00 UTC. */
  readonly requestsPerDay: Limit
}

/** How many requests were admitted on a day, which is counted from 1970-01-01 in UTC. */
export interface DayCount {
  readonly day: number
  readonly requests: number
}

/** A token bucket as it is stored: how full it was, and when. */
export interface BucketState {
  readonly level: number
  readonly atMs: number
}

/** What a caller may fail with in a window; beyond it everything in the same bucket is refused until the window ends. */
export interface ErrorBudget {
  readonly failed: Limit
  /** Requests for what a model or its engine cannot do. */
  readonly unsupported: Limit
  readonly windowMs: number
}

export type FailureKind = 'failed' | 'unsupported'

/** What failed since a window began. */
export interface FailureCounts {
  readonly failed: number
  readonly unsupported: number
  /** Wall time in milliseconds. */
  readonly endsAtMs: number
}

/** Whose failures count together (venice.md §5.4). */
export interface FailureBucket {
  /** The id of the key. */
  readonly owner: string
  /** The model's id, or the name of what was asked where there is none. */
  readonly model: string
  /** Stands for the caller's own user; empty without one. At most 64 characters. */
  readonly user: string
}

/** What ran out: requests or tokens of the minute, requests of the day, or the failures that a caller may cause. */
export type RefusedRate = 'requests' | 'tokens' | 'daily' | 'failed' | 'unsupported'

/** A request that was turned away by a rate. */
export interface RateRefusal {
  readonly accountId: AccountId
  readonly keyId: KeyId
  /** The model or the ware that was asked for, or the address where there is neither. */
  readonly model: string
  readonly rate: RefusedRate
  readonly atMs: number
}
