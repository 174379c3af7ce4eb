import type { EngineRequest, JsonObject } from '../mock-engine/engine-request.ts'
import { status } from '../mock-engine/status.ts'
import { type Behaviour, complete, head, pause, payload, type Step } from '../mock-engine/step.ts'
import { findProblem } from './check-request.ts'

/** A part of the answer, as the API's documentation shapes it. */
type AnswerPart = JsonObject

export interface GenerateOptions {
  /** One response of a stream for each; a whole answer has all of them. */
  readonly parts?: readonly AnswerPart[]
  readonly finishReason?: string | null
  readonly usage?: JsonObject | null
  /** Instead of candidates: the prompt itself is refused. */
  readonly blockReason?: string
  /** Before each response after the first, in milliseconds. */
  readonly everyMs?: number
  /** Sent as a response after so many others. */
  readonly error?: { readonly afterResponses: number }
}

const usualParts: readonly AnswerPart[] = [{ text: 'Hello ' }, { text: 'there' }]
const usualUsage: JsonObject = { promptTokenCount: 16, candidatesTokenCount: 5, totalTokenCount: 21 }

/** What generateContent and streamGenerateContent answer. A wrong request gets 400. */
export function generate(options: GenerateOptions = {}): Behaviour {
  return request => {
    const problem = findProblem(request)
    if (problem !== null) return apiError(400, 'INVALID_ARGUMENT', problem)(request)
    return request.path.includes(':stream') ? streamSteps(options, request) : wholeSteps(options, request)
  }
}

/** An error as the API spells it. */
export function apiError(code: number, name: string, message: string, details: JsonObject[] = []): Behaviour {
  return status(code, { body: { error: { code, message, status: name, ...(details.length > 0 ? { details } : {}) } } })
}

function wholeSteps(options: GenerateOptions, request: EngineRequest): Step[] {
  const { parts = usualParts, usage = usualUsage, finishReason = 'STOP', blockReason } = options
  const said = blockReason === undefined ? candidate(parts, finishReason) : { promptFeedback: { blockReason } }
  const body = JSON.stringify({ ...named(request), ...said, ...(usage === null ? {} : { usageMetadata: usage }) })
  return [
    head(200, {
      contentType: 'application/json; charset=UTF-8',
      framing: { length: Buffer.byteLength(body) },
    }),
    payload('body', body),
    complete,
  ]
}

function* streamSteps(options: GenerateOptions, request: EngineRequest): Generator<Step> {
  yield head(200, { contentType: 'text/event-stream', framing: 'chunked' })
  let sent = 0
  for (const response of responses(options)) {
    if (options.error?.afterResponses === sent) {
      yield encode({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } })
      return yield complete
    }
    if (sent > 0) yield* pause(options.everyMs)
    yield encode({ ...response, ...named(request) })
    sent += 1
  }
  yield complete
}

function* responses(options: GenerateOptions): Generator<JsonObject> {
  const { parts = usualParts, usage = usualUsage, finishReason = 'STOP', blockReason } = options
  if (blockReason !== undefined) return yield { promptFeedback: { blockReason }, usageMetadata: usage }
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const running = { ...usage, candidatesTokenCount: index + 1 }
    const report = usage === null ? {} : { usageMetadata: isLast ? usage : running }
    yield { ...candidate([part], isLast ? finishReason : null), ...report }
  }
}

function encode(response: JsonObject): Step {
  return payload('chunk', `data: ${JSON.stringify(response)}\r\n\r\n`, 1)
}

function candidate(parts: readonly AnswerPart[], finishReason: string | null): JsonObject {
  const reason = finishReason === null ? {} : { finishReason }
  return { candidates: [{ content: { role: 'model', parts }, ...reason, index: 0 }] }
}

function named(request: EngineRequest): JsonObject {
  return { modelVersion: /models\/([^:]+)/.exec(request.path)?.[1] ?? '', responseId: 'resp-1' }
}
