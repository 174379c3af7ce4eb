import type { Charge } from '../../core/price.ts'
import type { Usage, UsageSource } from '../../core/usage.ts'
import type { Attempt, Outcome } from './types.ts'

/** One finished completion, as metrics, traces and the log see it. Holds no text of anybody. */
export interface CompletionFacts {
  readonly requestId: string
  readonly completionId: string
  readonly surface: string
  readonly model: string
  readonly engineModel: string | null
  readonly node: string | null
  readonly accountId: string
  readonly keyId: string
  readonly stream: boolean
  readonly status: number
  readonly outcome: Outcome
  readonly finishReason: string | null
  readonly usage: Usage
  readonly usageSource: UsageSource
  readonly charge: Charge | null
  readonly attempts: readonly Attempt[]
  readonly startedAtMs: number
  readonly firstByteMs: number | null
  readonly totalMs: number
  /** Mean time between two chunks in milliseconds; null when fewer than two came. */
  readonly chunkGapMs: number | null
}

/** Port: who wants to know about completions. */
export interface CompletionObserver {
  /** A request was admitted, so that its hold is open (1), or it is over, settled or left to the sweeper (-1). */
  holding(model: string, change: 1 | -1): void
  /** Called once per admitted request, after its settlement was asked for. */
  completed(facts: CompletionFacts): void
  refused(model: string | null, code: string): void
}
