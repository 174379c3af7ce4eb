import type { GatewayError } from './gateway-error.ts'
import type { Charge } from './price.ts'
import type { Usage, UsageSource } from './usage.ts'

/** What the gateway knows about a finished answer when it writes the part that shows the cost. */
export interface AnswerFacts {
  readonly completionId: string
  readonly modelId: string
  readonly created: number
  readonly usage: Usage
  readonly usageSource: UsageSource
  /** Null when the ledger could not confirm the charge in time: then no cost is shown (money.md §2). */
  readonly charge: Charge | null
}

/** Members of a JSON object as name → JSON text of the value. */
export type JsonMembers = Readonly<Record<string, string>>

/**
 * How a dialect writes what the relay adds to an engine's answer. The relay sets these members in bytes that stay
 * otherwise untouched, so values are JSON text: a number made from nano-USD is exact, a floating-point number is not.
 */
export interface AnswerEncoder {
  /** Members to set inside the engine's own `usage` object, such as the cost. */
  usageMembers(facts: AnswerFacts): JsonMembers
  /** A whole `usage` object of our own figures, when the engine reported none that can be used. */
  usageObject(facts: AnswerFacts): string
  /** Members to set beside `usage` in a whole answer, or in the last chunk of a stream. */
  answerMembers(facts: AnswerFacts): JsonMembers
  /** The body of an error. */
  errorBody(error: GatewayError): string
  /** The data of an in-band error event. */
  errorEvent(error: GatewayError): string
}
