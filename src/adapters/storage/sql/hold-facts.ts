import type { RequestId } from '../../../core/ids.ts'
import type { Limit } from '../../../domain/limits/types.ts'
import { isJsonObject, parseJson } from '../../../lib/json.ts'

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

export function encodeHoldFacts(facts: HoldFacts): string {
  const { requestId, generationId, model, surface, stream, priceVersion, processId, overdraftNano } = facts
  const { tokensTaken, tokensPerMinute, createdAtMs, deadlineAtMs } = facts
  return JSON.stringify({
    requestId,
    generationId,
    model,
    surface,
    stream,
    priceVersion,
    processId,
    overdraftNano: overdraftNano.toString(),
    tokensTaken,
    tokensPerMinute,
    createdAtMs,
    deadlineAtMs,
  })
}

/** @throws RangeError when the text is not what encodeHoldFacts writes. */
export function decodeHoldFacts(text: string): HoldFacts {
  const facts = parseJson(text)
  if (!isJsonObject(facts)) throw damaged()
  const textOf = (name: keyof HoldFacts): string => {
    const value = facts[name]
    if (typeof value !== 'string') throw damaged()
    return value
  }
  const numberOf = (name: keyof HoldFacts): number => {
    const value = facts[name]
    if (typeof value !== 'number') throw damaged()
    return value
  }
  return {
    requestId: textOf('requestId'),
    generationId: textOf('generationId'),
    model: textOf('model'),
    surface: textOf('surface'),
    stream: facts['stream'] === true,
    priceVersion: textOf('priceVersion'),
    processId: textOf('processId'),
    overdraftNano: BigInt(textOf('overdraftNano')),
    tokensTaken: numberOf('tokensTaken'),
    tokensPerMinute: facts['tokensPerMinute'] === 'unlimited' ? 'unlimited' : numberOf('tokensPerMinute'),
    createdAtMs: numberOf('createdAtMs'),
    deadlineAtMs: numberOf('deadlineAtMs'),
  }
}

function damaged(): RangeError {
  return new RangeError('a stored hold is damaged')
}
