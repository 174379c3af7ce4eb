import type { Attempt, Outcome } from '../domain/usage/types.ts'
import type { MeterReading } from './relay/meter.ts'

/** How an admitted request ended, before anybody priced it. */
export interface Ending {
  readonly outcome: Outcome
  /** What the caller was told, or would have been. */
  readonly status: number
  readonly reading: MeterReading
  /** What of the reading is charged (money.md §3, the table of outcomes). */
  readonly billing: Billing
  readonly finishReason: string | null
  readonly engineCompletionId: string | null
  readonly node: string | null
  readonly attempts: readonly Attempt[]
  readonly firstByteMs: number | null
  readonly costDelivered: boolean
}

/**
 * `usage`: the reading is the bill. `free`: nothing is charged, and it is nobody's allowance. `free_failure`: nothing is
 * charged while the account's hourly allowance lasts, because an engine may have worked for it.
 */
export type Billing = 'usage' | 'free' | 'free_failure'
