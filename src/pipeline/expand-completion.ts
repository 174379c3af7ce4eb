import type { CompletionEvent } from '../core/completion-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts'

/**
 * A whole answer as the events of a stream that would have said the same: one chunk with everything a choice holds, then
 * usage, then the end. `collectCompletion(expandCompletion(x))` is x, members unknown to us included.
 */
export function* expandCompletion(completion: JsonObject): Generator<CompletionEvent> {
  const { usage, choices, object: _object, ...rest } = completion
  const expanded = Array.isArray(choices) ? choices.map(expandChoice) : []
  yield { type: 'chunk', chunk: { ...rest, object: 'chat.completion.chunk', choices: expanded } }
  if (isJsonObject(usage)) yield { type: 'usage', usage }
  yield { type: 'end' }
}

function expandChoice(choice: JsonValue): JsonValue {
  if (!isJsonObject(choice)) return choice
  const { message, ...rest } = choice
  return { ...rest, delta: isJsonObject(message) ? expandMessage(message) : {} }
}

/** A delta names the place of each tool call, a message does not. */
function expandMessage(message: JsonObject): JsonObject {
  const { tool_calls: toolCalls, ...rest } = message
  if (!Array.isArray(toolCalls)) return message
  return { ...rest, tool_calls: toolCalls.map((call, index) => (isJsonObject(call) ? { index, ...call } : call)) }
}
