import type { JsonObject } from '../lib/json.ts'
import type { Balances } from './currency.ts'
import type { GatewayError } from './gateway-error.ts'
import type { Grounding } from './grounding.ts'
import type { Model } from './model.ts'
import type { Charge } from './price.ts'
import type { BudgetView, RateOwner, RateView } from './rate-view.ts'
import type { Usage, UsageSource } from './usage.ts'

/** What is known of an answer before anybody looks at its request. Both times are wall time in milliseconds. */
export interface AnswerMoment {
  readonly requestId: string
  readonly nowMs: number
  /** When the program was built. */
  readonly builtAtMs: number
}

/** What the gateway knows about an answer when its head leaves. */
export interface HeadFacts {
  readonly model: Model
  readonly rates: RateView
  readonly rateOwner: RateOwner
  /** What is left of the error budget; null without one. */
  readonly failures: BudgetView | null
  /** What the account had before the request. */
  readonly balances: Balances
  /** Wall time in milliseconds. */
  readonly nowMs: number
}

/** What the gateway knows about a finished answer when it writes the part that shows the cost. */
export interface AnswerFacts {
  readonly completionId: string
  readonly modelId: string
  readonly created: number
  readonly usage: Usage
  readonly usageSource: UsageSource
  /** Null when the ledger could not confirm the charge in time: then no cost is shown (money.md §2). */
  readonly charge: Charge | null
  /** About how many of the prompt's tokens the gateway put before the caller's. */
  readonly injectedTokens: number
  /** What was looked up for the answer; null where nothing was. */
  readonly grounding: Grounding | null
  /** Whether the engine was told to search X by itself. */
  readonly searchesX: boolean
  /** Whether the answer is a stream. */
  readonly stream: boolean
}

/** Members of a JSON object as name → JSON text of the value. */
export type JsonMembers = Readonly<Record<string, string>>

/** What a failure may be told about the call that it answers. */
export interface ErrorContext {
  readonly requestId: string
  /** The path that was asked for, without its query. */
  readonly path: string
  /** Where callers reach the gateway, without a trailing slash. */
  readonly publicUrl: string
  /** Who runs this gateway, as callers are told. */
  readonly operatorName: string
  /** Wall time in milliseconds. */
  readonly nowMs: number
}

interface RenderedError {
  readonly status: number
  /** Those that belong to the failure, beside those of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body: string
}

/** How a surface writes a failure. */
export interface ErrorEncoder {
  renderError(error: GatewayError, context: ErrorContext): RenderedError
}

/**
 * How a dialect writes what the relay adds to an engine's answer. The relay sets these members in bytes that stay
 * otherwise untouched, so values are JSON text: a number made from nano-USD is exact, a floating-point number is not.
 */
export interface AnswerEncoder extends ErrorEncoder {
  /** Headers of an answer, such as what is left of the rates. */
  answerHeaders(facts: HeadFacts): Readonly<Record<string, string>>
  /** Members to set inside the engine's own `usage` object, such as the cost. `reported` reads that object. */
  usageMembers(facts: AnswerFacts, reported: () => JsonObject): JsonMembers
  /** A whole `usage` object of our own figures, when the engine reported none that can be used. */
  usageObject(facts: AnswerFacts): string
  /** Members to set beside `usage` in a whole answer, or in the last chunk of a stream. */
  answerMembers(facts: AnswerFacts): JsonMembers
  /** Members of one more chunk behind the last one; null for none. */
  closingMembers(facts: AnswerFacts): JsonMembers | null
  /** The data of an in-band error event. */
  errorEvent(error: GatewayError): string
}
