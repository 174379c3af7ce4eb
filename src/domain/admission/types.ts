import type { Balances, CurrencyParts, OtherFunds } from '../../core/currency.ts'
import type { AccountId, HoldId, KeyId, RequestId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { AccountMode } from '../../core/principal.ts'
import type { LimitPeriod } from '../identity/types.ts'
import type { BucketState, DayCount, ErrorBudget, FailureCounts, Limit, RateLimits, RateView } from '../limits/types.ts'

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
  /** False where dollars pay alone (money.md §4). */
  readonly spendsAllCurrencies: boolean
  readonly modelRates: RateLimits
  readonly accountConcurrency: Limit
  /** Null where failures are not counted. The bucket is the key's, the model's and this user's. */
  readonly errorBudget: AskedErrorBudget | null
  readonly processId: string
  readonly nowMs: number
  /** When the request is over at the latest; the sweeper comes a grace later. */
  readonly deadlineMs: number
}

/** The user stands for the caller's own; empty without one. */
export interface AskedErrorBudget extends ErrorBudget {
  readonly user: string
}

/** What is stored about account and key, read inside the decision's own transaction. */
export interface AdmissionState {
  readonly mode: AccountMode
  readonly balanceNano: Amount
  readonly heldNano: Amount
  readonly openHolds: number
  /** Null for an account that has dollars alone. */
  readonly funds: OtherFunds | null
  readonly modelRequests: BucketState | null
  readonly modelTokens: BucketState | null
  readonly modelDay: DayCount | null
  readonly key: {
    readonly revokedAtMs: number | null
    readonly expiresAtMs: number | null
    /** Of everything but DIEM. */
    readonly limitNano: Amount | null
    readonly limitDiemNano: Amount | null
    readonly period: LimitPeriod
    readonly periodStartMs: number
    readonly spentNano: Amount
    readonly spentDiemNano: Amount
    readonly heldNano: Amount
    readonly heldDiemNano: Amount
    readonly openHolds: number
    readonly concurrency: number | null
    readonly rates: RateLimits
    readonly requests: BucketState | null
    readonly tokens: BucketState | null
    readonly day: DayCount | null
  }
}

/** What an admitted request changes: written in the same transaction, or nothing is. */
export interface Admission {
  readonly admitted: true
  readonly holdNano: Amount
  /** What of the hold is not dollars. */
  readonly parts: CurrencyParts | null
  readonly outputLimit: number
  /** Tokens taken from the rate buckets; settlement gives back what was not used. */
  readonly tokensTaken: number
  readonly modelRequests: BucketState | null
  readonly modelTokens: BucketState | null
  readonly modelDay: DayCount | null
  readonly keyRequests: BucketState | null
  readonly keyTokens: BucketState | null
  readonly keyDay: DayCount | null
  /** Start of the key's current spending period; spent counts from it. */
  readonly keyPeriodStartMs: number
  readonly keySpentNano: Amount
  readonly keySpentDiemNano: Amount
  readonly rates: RateView
  /** What the caller failed with lately; there where the request has an error budget. */
  readonly failures?: FailureCounts
  /** Before the request. */
  readonly balances: Balances
}

export type RefusalReason =
  | 'invalid_api_key'
  | 'insufficient_balance'
  | 'key_limit_exceeded'
  | 'key_diem_limit_exceeded'
  | 'rate_limit_requests'
  | 'rate_limit_tokens'
  | 'rate_limit_daily'
  | 'concurrency_account'
  | 'concurrency_key'
  | 'error_budget'

/** A refusal changes no counter. `availableNano` says what is left of what was short. */
export interface Refusal {
  readonly admitted: false
  readonly reason: RefusalReason
  readonly neededNano: Amount
  readonly availableNano: Amount
  readonly limit: Limit
  readonly retryAfterMs: number
  readonly rates: RateView | null
  readonly failures?: FailureCounts
  /** Null, like the rates, for whom they were not looked up. */
  readonly balances: Balances | null
}

export type AdmissionDecision = Admission | Refusal
