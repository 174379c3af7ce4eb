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

/**
 * How a dialect writes what the relay adds to an engine's answer. The relay splices these members into bytes that stay
 * otherwise untouched, so they are JSON text: a member list without braces, with a leading comma where said.
 */
export interface AnswerEncoder {
  /** Members for the end of a `usage` object: `,"cost":…` or the empty string. */
  usageExtras(facts: AnswerFacts): string
  /** A whole `usage` object from our own figures, when the engine reported none that can be used. */
  usageObject(facts: AnswerFacts): string
  /** Members beside `usage` at the top level of an answer or of the last chunk: `,"usage_estimated":true` or ''. */
  answerExtras(facts: AnswerFacts): string
  /** A whole JSON body for an error. */
  errorBody(error: GatewayError): string
  /** The JSON of an in-band error event. */
  errorEvent(error: GatewayError): string
}
