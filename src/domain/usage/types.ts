import type { AccountId, HoldId, KeyId, RequestId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { ChargeLine } from '../../core/price.ts'
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
  readonly costNano: Amount
  readonly lines: readonly ChargeLine[]
}

export interface UsageQuery {
  readonly accountId: AccountId | null
  readonly model: string | null
  readonly outcome: Outcome | null
  /** At most 1,000. */
  readonly limit: number
  readonly cursor: string | null
}
