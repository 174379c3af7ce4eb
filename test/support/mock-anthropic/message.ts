import { asksForStream, type EngineRequest, type JsonObject } from '../mock-engine/engine-request.ts'
import { status } from '../mock-engine/status.ts'
import { type Behaviour, complete, head, pause, payload, type Step } from '../mock-engine/step.ts'
import { findProblem } from './check-request.ts'

/** A block of the answer, as the API's documentation shapes it. */
type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'fallback'; readonly from: { model: string }; readonly to: { model: string } }

export interface MessageOptions {
  readonly blocks?: readonly AnswerBlock[]
  readonly stopReason?: string | null
  readonly usage?: JsonObject
  /** Before each event after the first, in milliseconds. */
  readonly everyMs?: number
  /** The stream breaks off after so many events. */
  readonly eventsMax?: number
  /** Sent as the last event instead of the ends of the message. */
  readonly error?: { readonly type: string; readonly message: string; readonly afterEvents: number }
}

const usualUsage: JsonObject = { input_tokens: 16, output_tokens: 5 }
const pieceLength = 5

/** What the Messages API answers: JSON, or its events when the request has `stream: true`. A wrong request gets 400. */
export function message(options: MessageOptions = {}): Behaviour {
  return request => {
    const problem = findProblem(request.body)
    if (problem !== null) return apiError(400, 'invalid_request_error', problem)(request)
    return asksForStream(request) ? streamSteps(options, request) : jsonSteps(options, request)
  }
}

/** An error as the API spells it. */
export function apiError(code: number, type: string, text: string, headers: [string, string][] = []): Behaviour {
  return status(code, { body: { type: 'error', error: { type, message: text }, request_id: 'req_011' }, headers })
}

function jsonSteps(options: MessageOptions, request: EngineRequest): Step[] {
  const { blocks = [{ type: 'text', text: 'Hello there' }], stopReason = 'end_turn', usage = usualUsage } = options
  const body = JSON.stringify({ ...opening(request), content: blocks, stop_reason: stopReason, usage })
  return [
    ...pause(options.everyMs),
    head(200, { contentType: 'application/json', framing: { length: Buffer.byteLength(body) } }),
    payload('body', body),
    complete,
  ]
}

function* streamSteps(options: MessageOptions, request: EngineRequest): Generator<Step> {
  const { everyMs, eventsMax = Number.POSITIVE_INFINITY, error } = options
  yield head(200, { contentType: 'text/event-stream; charset=utf-8', framing: 'chunked' })
  let sent = 0
  for (const event of streamEvents(options, request)) {
    if (sent >= eventsMax) return yield complete
    if (error !== undefined && sent === error.afterEvents) {
      yield encode({ type: 'error', error: { type: error.type, message: error.message } })
      return yield complete
    }
    if (sent > 0) yield* pause(everyMs)
    yield encode(event)
    sent += 1
  }
  yield complete
}

function encode(event: JsonObject): Step {
  const part = event['type'] === 'content_block_delta' ? 'chunk' : 'other'
  return payload(part, `event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`, part === 'chunk' ? 1 : 0)
}

function* streamEvents(options: MessageOptions, request: EngineRequest): Generator<JsonObject> {
  const { blocks = [{ type: 'text', text: 'Hello there' }], stopReason = 'end_turn', usage = usualUsage } = options
  const { output_tokens: output, output_tokens_details: details, ...input } = usage
  yield { type: 'message_start', message: { ...opening(request), usage: { ...input, output_tokens: 1 } } }
  yield { type: 'ping' }
  for (const [index, block] of blocks.entries()) yield* blockEvents(block, index)
  yield {
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: output, ...(details === undefined ? {} : { output_tokens_details: details }) },
  }
  yield { type: 'message_stop' }
}

function* blockEvents(block: AnswerBlock, index: number): Generator<JsonObject> {
  yield { type: 'content_block_start', index, content_block: { ...block, ...emptied(block) } }
  for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta }
  yield { type: 'content_block_stop', index }
}

function emptied(block: AnswerBlock): JsonObject {
  if (block.type === 'text') return { text: '' }
  if (block.type === 'thinking') return { thinking: '', signature: '' }
  return block.type === 'tool_use' ? { input: {} } : {}
}

function deltasOf(block: AnswerBlock): JsonObject[] {
  switch (block.type) {
    case 'text':
      return pieces(block.text).map(text => ({ type: 'text_delta', text }))
    case 'thinking':
      return [
        ...pieces(block.thinking).map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ]
    case 'tool_use': {
      const json = Object.keys(block.input).length === 0 ? '' : JSON.stringify(block.input)
      return ['', ...pieces(json)].map(partial => ({ type: 'input_json_delta', partial_json: partial }))
    }
    default:
      return []
  }
}

function pieces(text: string): string[] {
  const characters = [...text]
  const count = Math.ceil(characters.length / pieceLength)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * pieceLength, (index + 1) * pieceLength).join(''),
  )
}

function opening(request: EngineRequest): JsonObject {
  return {
    id: 'msg_01ABC',
    type: 'message',
    role: 'assistant',
    model: request.body?.['model'],
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
}
