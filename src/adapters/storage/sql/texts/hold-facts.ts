import type { RequestId } from '../../../../core/ids.ts'
import type { Limit } from '../../../../domain/limits/types.ts'
import { parseJson } from '../../../../lib/json.ts'
import { listOf, numberOf, textOf } from './stored-text.ts'

/** What an open hold remembers of its request, beyond the columns that sums are made of: one JSON text. */
export interface HoldFacts {
  readonly requestId: RequestId
  readonly generationId: string
  readonly model: string
  readonly surface: string
  readonly stream: boolean
  readonly priceVersion: string
  readonly processId: string
  /** How far below zero the account was allowed to go when the hold was placed. */
  readonly overdraftNano: bigint
  readonly tokensTaken: number
  /** The account's token rate for the model at that time. */
  readonly tokensPerMinute: Limit
  readonly createdAtMs: number
  readonly deadlineAtMs: number
}

/** A list in this order, for the same reason as that of usage-details.ts. */
export function encodeHoldFacts(facts: HoldFacts): string {
  return JSON.stringify([
    facts.requestId,
    facts.generationId,
    facts.model,
    facts.surface,
    facts.stream,
    facts.priceVersion,
    facts.processId,
    facts.overdraftNano.toString(),
    facts.tokensTaken,
    facts.tokensPerMinute,
    facts.createdAtMs,
    facts.deadlineAtMs,
  ])
}

/** @throws RangeError when the text is not what encodeHoldFacts writes. */
export function decodeHoldFacts(text: string): HoldFacts {
  const [requestId, generationId, model, surface, stream, priceVersion, processId, ...rest] = listOf(parseJson(text))
  const [overdraftNano, tokensTaken, tokensPerMinute, createdAtMs, deadlineAtMs] = rest
  return {
    requestId: textOf(requestId),
    generationId: textOf(generationId),
    model: textOf(model),
    surface: textOf(surface),
    stream: stream === true,
    priceVersion: textOf(priceVersion),
    processId: textOf(processId),
    overdraftNano: BigInt(textOf(overdraftNano)),
    tokensTaken: numberOf(tokensTaken),
    tokensPerMinute: tokensPerMinute === 'unlimited' ? 'unlimited' : numberOf(tokensPerMinute),
    createdAtMs: numberOf(createdAtMs),
    deadlineAtMs: numberOf(deadlineAtMs),
  }
}
