import type { Fees } from '../core/price.ts'
import type { Attempt, Outcome } from '../domain/usage/types.ts'
import type { MeterReading } from './relay/meter.ts'
import type { Admitted } from './stages.ts'

/** How an admitted request ended, before anybody priced it. */
export interface Ending {
  readonly outcome: Outcome
  /** What the caller was told, or would have been. */
  readonly status: number
  readonly reading: MeterReading
  /** What is charged beside it, whatever `billing` says. */
  readonly fees: Fees
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

/**
 * What a finished answer costs. Where the surface says so, tokens are free when the engine reports none of output; that an
 * engine worked for it all the same is taken from the account's allowance (money.md §3).
 */
export function billFinished({ request }: Admitted, { usage }: MeterReading): Billing {
  const isEmpty = usage.completionTokens === 0
  return isEmpty && request.policy.emptyAnswer === 'free_tokens' ? 'free_failure' : 'usage'
}
