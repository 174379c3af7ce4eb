import type { AnswerEncoder } from '../core/answer-encoder.ts'
import type { CompletionRequest, PromptSize, RequestBody } from '../core/completion-request.ts'
import type { Grounding } from '../core/grounding.ts'
import type { Model, ServedBy } from '../core/model.ts'
import type { Amount } from '../core/money.ts'
import type { Fees } from '../core/price.ts'
import type { Principal } from '../core/principal.ts'
import type { BudgetView } from '../core/rate-view.ts'
import type { CallerRegion } from '../domain/catalog/check-region.ts'
import type { Draft } from './compose/draft.ts'
import type { GroundingPlan } from './grounding/plan-grounding.ts'
import type { Standing } from './standing.ts'

/** Each stage widens the one before it: what a later stage needs cannot be missing, and order is checked by the compiler. */
export interface Received {
  readonly requestId: string
  readonly completionId: string
  readonly principal: Principal
  readonly request: CompletionRequest
  /** The body as it came, which identifies the request where it is sent again. */
  readonly bodyBytes: Buffer
  readonly encoder: AnswerEncoder
  /** Which surface the caller used, for the usage record. */
  readonly surface: string
  readonly route: string
  /** Whether the surface spends more than dollars. */
  readonly spendsAllCurrencies: boolean
  readonly idempotencyKey: string | null
  readonly region: CallerRegion
  /** Stands for the caller's own user in the error budget; null where the surface has none. */
  readonly budgetUser: string | null
  /** Wall time, for records. */
  readonly receivedAtMs: number
  /** Monotonic time, for durations. */
  readonly startedAtMs: number
}

export interface Resolved extends Received {
  readonly model: Model
  /** The name of the model in everything that the caller sees. */
  readonly shownModelId: string
  readonly draft: Draft
  /** What is to be looked up once it is paid for; null for nothing. */
  readonly plan: GroundingPlan | null
  /** Whether the engine is told to search X by itself: the caller asked for it, and the model can. */
  readonly searchesX: boolean
  /** Those nodes of the model that may get this request. */
  readonly served: readonly ServedBy[]
  /** min(asked, model's maximum) per choice, at least 1 (money.md §3). */
  readonly outputLimit: number
  readonly promptTokensBound: number
  readonly fixedNano: Amount
}

export interface Admitted extends Resolved, Standing {
  readonly holdId: string
  readonly holdNano: Amount
  /** What is left of the error budget, where there is one. */
  readonly failures: BudgetView | null
  /** Milliseconds that the whole answer may take. */
  readonly totalMs: number
  /** What is owed by now, whatever becomes of the answer. */
  readonly fees: Fees
}

export interface Prepared extends Admitted {
  /** What engines get, before each of them writes its own names into it. */
  readonly body: RequestBody
  readonly prompt: PromptSize
  /** What was looked up for the answer; null where nothing was. */
  readonly grounding: Grounding | null
}
