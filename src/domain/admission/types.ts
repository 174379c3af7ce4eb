import type { AccountId, HoldId, KeyId, RequestId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { AccountMode } from '../../core/principal.ts'
import type { LimitPeriod } from '../identity/types.ts'
import type { BucketState, Limit, RateLimits, RateView } from '../limits/types.ts'

/** Everything the one atomic decision needs to know about a request (money.md §2, §3). */
export interface AdmissionRequest {
  readonly holdId: HoldId
  readonly requestId: RequestId
  readonly generationId: string
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly model: string
  readonly surface: string
  readonly stream: boolean
  /** Upper bound of everything but output tokens: prompt at its dearest price, and fees. */
  readonly fixedNano: Amount
  readonly outputNanoPerMillion: Amount
  readonly choices: number
  /** The effective output limit per choice. */
  readonly outputLimit: number
  /** True when the caller set no limit, so that the gateway may lower it to what the balance pays for. */
  readonly outputLimitMayShrink: boolean
  /** Tokens of the prompt bound, for the token rate. */
  readonly promptTokensBound: number
  /** Free models skip the balance, not the limits. */
  readonly free: boolean
  readonly priceVersion: string
  readonly overdraftNano: Amount
  readonly modelRates: RateLimits
  readonly accountConcurrency: Limit
  readonly processId: string
  readonly nowMs: number
  /** When the request is over at the latest; the sweeper comes a grace later. */
  readonly deadlineMs: number
}

/** What is stored about account and key, read inside the decision's own transaction. */
export interface AdmissionState {
  readonly mode: AccountMode
  readonly balanceNano: Amount
  readonly heldNano: Amount
  readonly openHolds: number
  readonly modelRequests: BucketState | null
  readonly modelTokens: BucketState | null
  readonly key: {
    readonly revokedAtMs: number | null
    readonly expiresAtMs: number | null
    readonly limitNano: Amount | null
    readonly period: LimitPeriod
    readonly periodStartMs: number
    readonly spentNano: Amount
    readonly heldNano: Amount
    readonly openHolds: number
    readonly concurrency: number | null
    readonly rates: RateLimits
    readonly requests: BucketState | null
    readonly tokens: BucketState | null
  }
}

/** What an admitted request changes: written in the same transaction, or nothing is. */
export interface Admission {
  readonly admitted: true
  readonly holdNano: Amount
  readonly outputLimit: number
  /** Tokens taken from the rate buckets; settlement gives back what was not used. */
  readonly tokensTaken: number
  readonly modelRequests: BucketState | null
  readonly modelTokens: BucketState | null
  readonly keyRequests: BucketState | null
  readonly keyTokens: BucketState | null
  /** Start of the key's current spending period; spent counts from it. */
  readonly keyPeriodStartMs: number
  readonly keySpentNano: Amount
  readonly rates: RateView
}

export type RefusalReason =
  | 'invalid_api_key'
  | 'insufficient_balance'
  | 'key_limit_exceeded'
  | 'rate_limit_requests'
  | 'rate_limit_tokens'
  | 'concurrency_account'
  | 'concurrency_key'

/** A refusal changes no counter. `availableNano` says what is left of what was short. */
export interface Refusal {
  readonly admitted: false
  readonly reason: RefusalReason
  readonly neededNano: Amount
  readonly availableNano: Amount
  readonly limit: Limit
  readonly retryAfterMs: number
  readonly rates: RateView | null
}

export type AdmissionDecision = Admission | Refusal
