import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'
import type { AssistantTurn, ToolCall, Turn } from './chat.ts'
import { readParts } from './read-parts.ts'

/** @throws RequestRefused */
export function readTurns(messages: JsonValue | undefined): readonly Turn[] {
  if (!Array.isArray(messages)) throw invalidField('messages', 'must be a list')
  return messages.map((message, index) => readTurn(message, `messages[${index}]`))
}

function readTurn(message: JsonValue, path: string): Turn {
  if (!isJsonObject(message)) throw invalidField(path, 'must be an object')
  const parts = readParts(message['content'], `${path}.content`)
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', parts }
    case 'user':
      return { role: 'user', parts }
    case 'assistant':
      return readAssistant(message, parts, path)
    case 'tool':
      return { role: 'tool', callId: readText(message, 'tool_call_id', path), parts, path }
    default:
      throw invalidField(`${path}.role`, 'must be system, developer, user, assistant or tool')
  }
}

function readAssistant(message: JsonObject, parts: AssistantTurn['parts'], path: string): AssistantTurn {
  const { tool_calls: calls, reasoning_details: details, thought_signature: signature } = message
  return {
    role: 'assistant',
    parts,
    calls: Array.isArray(calls) ? calls.map((call, index) => readCall(call, `${path}.tool_calls[${index}]`)) : [],
    reasoningDetails: Array.isArray(details) ? details.filter(isJsonObject) : [],
    thoughtSignature: typeof signature === 'string' ? signature : null,
  }
}

function readCall(call: JsonValue, path: string): ToolCall {
  const called = isJsonObject(call) ? call['function'] : undefined
  if (!isJsonObject(call) || !isJsonObject(called)) throw invalidField(path, 'must be a call of a function')
  return {
    id: readText(call, 'id', path),
    name: readText(called, 'name', `${path}.function`),
    input: readInput(called['arguments'], `${path}.function.arguments`),
    signature: readSignature(call),
  }
}

/** Where Google's own OpenAI-compatible API puts it. */
function readSignature({ extra_content: extra }: JsonObject): string | null {
  const google = isJsonObject(extra) ? extra['google'] : undefined
  const signature = isJsonObject(google) ? google['thought_signature'] : undefined
  return typeof signature === 'string' ? signature : null
}

/** Models call tools without arguments with an empty text; some callers keep the object itself. */
function readInput(value: JsonValue | undefined, path: string): JsonObject {
  const text = typeof value === 'string' ? value.trim() || '{}' : null
  const input = text === null ? (value ?? {}) : parseOrUndefined(text)
  if (!isJsonObject(input)) throw invalidField(path, 'must be the text of a JSON object')
  return input
}

function parseOrUndefined(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

function readText(object: JsonObject, name: string, path: string): string {
  const value = object[name]
  if (typeof value !== 'string' || value === '') throw invalidField(`${path}.${name}`, 'must be a text')
  return value
}
