/** A bound that is written out: a number, where 0 means zero, or the word. */
export type Limit = number | 'unlimited'

/** Whose rate it is that ends first: the account's for a model, or the key's own. */
export type RateOwner = 'account' | 'key'

/** What a caller may know of its error budget. */
export interface BudgetView {
  readonly remaining: number
  /** Wall time in milliseconds at which all of it is there again. */
  readonly resetsAtMs: number
}

/** What a caller may know of its rates after a decision. A reset is the time until the bucket is full again. */
export interface RateView {
  readonly limitRequests: Limit
  readonly remainingRequests: number
  readonly resetRequestsMs: number
  readonly limitTokens: Limit
  readonly remainingTokens: number
  readonly resetTokensMs: number
}
