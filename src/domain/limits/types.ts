/** A bound that is written out: a number, where 0 means zero, or the word. */
export type Limit = number | 'unlimited'

export interface RateLimits {
  readonly requestsPerMinute: Limit
  readonly tokensPerMinute: Limit
}

/** A token bucket as it is stored: how full it was, and when. */
export interface BucketState {
  readonly level: number
  readonly atMs: number
}

/** What the `x-ratelimit-*` headers show after a decision. */
export interface RateView {
  readonly limitRequests: Limit
  readonly remainingRequests: number
  readonly resetRequestsMs: number
  readonly limitTokens: Limit
  readonly remainingTokens: number
  readonly resetTokensMs: number
}
