import type { AccountId, HoldId, KeyId, RequestId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { ChargeKind, ChargeLine } from '../../core/price.ts'
import type { Usage, UsageSource } from '../../core/usage.ts'

/** How a request ended (operator.md §6). */
export type Outcome =
  | 'done'
  | 'client_abort'
  | 'upstream_fail'
  | 'deadline'
  | 'drained'
  | 'crashed_recovered'
  | 'refused'

export interface Attempt {
  readonly node: string
  /** HTTP status, or the kind of fault when no status came (`connect_refused`, `reset`, …). */
  readonly status: number | string
  readonly ms: number
}

/** One admitted request, explained. Holds no prompt and no answer text (money.md §6). */
export interface UsageRecord {
  readonly requestId: RequestId
  readonly generationId: string
  readonly holdId: HoldId
  readonly accountId: AccountId
  readonly keyId: KeyId | null
  readonly surface: string
  readonly model: string
  /** The node that answered; null when none did. */
  readonly engine: string | null
  /** The engine's own id of the completion, for support cases. */
  readonly engineCompletionId: string | null
  readonly status: number
  readonly stream: boolean
  readonly usage: Usage
  readonly usageSource: UsageSource
  readonly finishReason: string | null
  readonly outcome: Outcome
  readonly priceVersion: string
  readonly attempts: readonly Attempt[]
  readonly firstByteMs: number | null
  readonly totalMs: number
  /** False when the answer that shows the cost never left: abort or crash. */
  readonly costDelivered: boolean
  readonly createdAtMs: number
}

/** A record as it is read back: with what was really held and taken. */
export interface StoredUsageRecord extends UsageRecord {
  readonly heldNano: Amount
  /** In all currencies together: each buys as much as a dollar. */
  readonly costNano: Amount
  readonly lines: readonly ChargeLine[]
}

/** Which records are meant: null is any. A record must agree with all of it. */
export interface UsageFilter {
  readonly accountId: AccountId | null
  readonly keyId: KeyId | null
  readonly model: string | null
  readonly outcome: Outcome | null
}

export interface UsageQuery extends UsageFilter {
  /** The HTTP status that the caller saw. */
  readonly status: number | null
  /** By the time of the record: from this on, and before that. Null is without an end. */
  readonly fromMs: number | null
  readonly toMs: number | null
  /** 1 to 1,000; what is outside is taken as the nearer end. */
  readonly limit: number
  /** What the page before gave out, for the same question; null for the first page. */
  readonly cursor: string | null
}

export interface UsagePage {
  /** The newest first. */
  readonly records: readonly StoredUsageRecord[]
  /** Null when nothing older is left. */
  readonly nextCursor: string | null
}

export type UsageGrouping = 'day' | 'model' | 'key' | 'account'

export interface UsageSummaryQuery extends UsageFilter {
  /** UTC days since 1970, both included. */
  readonly fromDay: number
  readonly toDay: number
  /** What makes a group; with none there is one group of everything. */
  readonly by: readonly UsageGrouping[]
  /** Groups at most, 1 to 10,000. */
  readonly limit: number
}

/** What the requests of a group had in common (null where it was not grouped by that), and what they add up to. */
export interface UsageSummary extends Usage {
  readonly day: number | null
  readonly model: string | null
  readonly accountId: AccountId | null
  /** Null also for requests without a key. */
  readonly keyId: KeyId | null
  readonly requests: number
  readonly costNano: Amount
  readonly writeoffNano: Amount
  /** The part of the cost that was paid in DIEM. */
  readonly diemNano: Amount
}

export interface SoldLinesQuery {
  readonly accountId: AccountId
  /** UTC days since 1970, both included. */
  readonly fromDay: number
  readonly toDay: number
}

/** What was sold of one kind, as the lines of the bills say it. */
export interface SoldLines {
  readonly model: string
  readonly kind: ChargeKind
  /** Tokens, or pieces of what is sold by the piece. */
  readonly units: number
  readonly costNano: Amount
  /** The part of the cost that was paid in DIEM. */
  readonly diemNano: Amount
}

export interface UsageSummaries {
  /** By day, the oldest first, when grouped by it; within a day, or without one, the dearest first. */
  readonly groups: readonly UsageSummary[]
  /** True when there are more groups than the limit; then the last ones are missing. */
  readonly truncated: boolean
}
