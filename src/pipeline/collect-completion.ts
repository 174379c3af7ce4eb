import type { CompletionEvent } from '../core/completion-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts'
import { collectToolCalls, createToolCalls, type ToolCalls } from './collect-tool-calls.ts'

/** Text that arrives in pieces and is joined; every other member of a delta is taken as it last came. */
const joinedKeys: ReadonlySet<string> = new Set(['content', 'reasoning_content', 'reasoning', 'refusal'])

interface Choice {
  rest: JsonObject
  message: JsonObject
  readonly toolCalls: ToolCalls
}

/**
 * A stream's events → the whole answer that says the same. The inverse of expandCompletion.
 * @throws GatewayError the stream's own fault
 */
export async function collectCompletion(events: AsyncIterable<CompletionEvent>): Promise<JsonObject> {
  const choices = new Map<number, Choice>()
  let base: JsonObject = {}
  let usage: JsonObject | null = null
  for await (const event of events) {
    if (event.type === 'fault') throw event.error
    if (event.type === 'end') break
    if (event.type === 'usage') usage = event.usage
    else base = takeChunk(event.chunk, base, choices)
  }
  const collected = [...choices.entries()]
    .sort(([left], [right]) => left - right)
    .map(([, choice]) => wholeChoice(choice))
  return { ...base, object: 'chat.completion', choices: collected, ...(usage === null ? {} : { usage }) }
}

function takeChunk(chunk: JsonObject, base: JsonObject, choices: Map<number, Choice>): JsonObject {
  const { choices: pieces, ...rest } = chunk
  if (Array.isArray(pieces)) for (const [position, piece] of pieces.entries()) takeChoice(piece, position, choices)
  return { ...base, ...rest }
}

function takeChoice(piece: JsonValue, position: number, choices: Map<number, Choice>): void {
  if (!isJsonObject(piece)) return
  const { delta, logprobs, ...rest } = piece
  const index = typeof piece['index'] === 'number' ? piece['index'] : position
  const choice = choices.get(index) ?? { rest: {}, message: {}, toolCalls: createToolCalls() }
  choices.set(index, choice)
  const finish = rest['finish_reason'] ?? choice.rest['finish_reason']
  choice.rest = { ...choice.rest, ...rest, ...(finish === undefined ? {} : { finish_reason: finish }) }
  if (logprobs !== undefined) choice.rest['logprobs'] = joinLogprobs(choice.rest['logprobs'], logprobs)
  if (isJsonObject(delta)) takeDelta(delta, choice)
}

function takeDelta(delta: JsonObject, choice: Choice): void {
  const { tool_calls: toolCalls, ...rest } = delta
  if (Array.isArray(toolCalls)) collectToolCalls(choice.toolCalls, toolCalls)
  const joined = Object.entries(rest).map(([key, value]) => [key, join(key, choice.message[key], value)] as const)
  choice.message = { ...choice.message, ...Object.fromEntries(joined) }
}

function join(key: string, before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!joinedKeys.has(key) || typeof before !== 'string') return value
  return typeof value === 'string' ? before + value : before
}

/** Log-probabilities come token by token under `content` and `refusal`; the lists are joined. */
function joinLogprobs(before: JsonValue | undefined, piece: JsonValue): JsonValue {
  if (!isJsonObject(before)) return piece
  if (!isJsonObject(piece)) return before
  const keys = new Set([...Object.keys(before), ...Object.keys(piece)])
  return Object.fromEntries([...keys].map(key => [key, joinLists(before[key], piece[key])]))
}

function joinLists(before: JsonValue | undefined, piece: JsonValue | undefined): JsonValue {
  if (Array.isArray(before) && Array.isArray(piece)) return [...before, ...piece]
  return piece ?? before ?? null
}

function wholeChoice({ rest, message, toolCalls }: Choice): JsonObject {
  return { ...rest, message: toolCalls.calls.length === 0 ? message : { ...message, tool_calls: toolCalls.calls } }
}
