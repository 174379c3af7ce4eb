import type { AnswerEncoder } from '../core/answer-encoder.ts'
import type { CompletionRequest } from '../core/completion-request.ts'
import type { Model } from '../core/model.ts'
import type { Amount } from '../core/money.ts'
import type { Principal } from '../core/principal.ts'
import type { RateView } from '../domain/limits/types.ts'

/** Each stage widens the one before it: what a later stage needs cannot be missing, and order is checked by the compiler. */
export interface Received {
  readonly requestId: string
  readonly completionId: string
  readonly principal: Principal
  readonly request: CompletionRequest
  readonly encoder: AnswerEncoder
  /** Which surface the caller used, for the usage record. */
  readonly surface: string
  readonly route: string
  readonly idempotencyKey: string | null
  /** Wall time, for records. */
  readonly receivedAtMs: number
  /** Monotonic time, for durations. */
  readonly startedAtMs: number
}

export interface Resolved extends Received {
  readonly model: Model
  /** min(asked, model's maximum) per choice, at least 1 (money.md §3). */
  readonly outputLimit: number
  readonly promptTokensBound: number
  readonly fixedNano: Amount
}

export interface Admitted extends Resolved {
  readonly holdId: string
  readonly holdNano: Amount
  readonly rates: RateView
  /** Milliseconds that the whole answer may take. */
  readonly totalMs: number
}
