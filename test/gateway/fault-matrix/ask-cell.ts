import type { IncomingHttpHeaders } from 'node:http'
import type { AnswerUsage } from '../../support/gateway/answer-json.ts'
import type { StreamReading } from '../../support/gateway/gateway-client.ts'
import { chunksOf, type Gateway, streamedText } from '../../support/gateway/index.ts'
import type { Cell } from './describe-faults.ts'

/** An answer of either kind. `reading` is null for a whole answer. */
export interface AnswerLike {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly reading: StreamReading | null
}

/** Short, so that the wait for a whole answer, which grows with it, is short too. */
const outputLimit = 12

export async function askCell(gateway: Gateway, { model, stream }: Cell): Promise<AnswerLike> {
  const body = { model, max_tokens: outputLimit }
  if (!stream) return { ...pick(await gateway.client.chat(body)), reading: null }
  const reading = await gateway.client.stream(body)
  return { ...pick(reading), reading }
}

function pick({ status, headers, text }: Omit<AnswerLike, 'reading'>): Omit<AnswerLike, 'reading'> {
  return { status, headers, text }
}

export function deliveredText({ reading, text }: AnswerLike): string {
  if (reading !== null) return streamedText(reading)
  return JSON.parse(text).choices[0].message.content
}

/** The usage as the caller sees it: in the answer, or in the last chunk before `[DONE]`, which has no choices. */
export function lastUsage({ reading, text }: AnswerLike): {
  usage: AnswerUsage | undefined
  isMarkedAsEstimate: boolean
} {
  const last = reading === null ? JSON.parse(text) : chunksOf(reading).at(-1)
  if (reading !== null && last?.choices?.length !== 0) throw new Error('the last chunk has choices')
  return { usage: last?.usage, isMarkedAsEstimate: last?.usage_estimated === true }
}
