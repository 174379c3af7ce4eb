import type { CompletionEvent } from '../../core/completion-event.ts'
import type { Source } from '../../core/grounding.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'
import { deltaOf, mapChoices, withDelta } from './map-choices.ts'
import { chain, type EventTransform } from './transform.ts'

/**
 * Hands over what was found as a call of a tool that nobody has to make, before the first word of each choice. The
 * model's own calls come after it.
 */
export function deliverDocuments(sources: readonly Source[], choices: number): EventTransform {
  return chain(moveCalls, events => precede(events, sources, choices))
}

async function* precede(
  events: AsyncIterable<CompletionEvent>,
  sources: readonly Source[],
  choices: number,
): AsyncGenerator<CompletionEvent> {
  let isFirst = true
  for await (const event of events) {
    if (isFirst && event.type === 'chunk') yield { type: 'chunk', chunk: callChunk(event.chunk, sources, choices) }
    isFirst = false
    yield event
  }
}

/** Says of itself what the first chunk says. */
function callChunk({ usage: _, ...first }: JsonObject, sources: readonly Source[], count: number): JsonObject {
  const call = { index: 0, id: 'web_search_call', type: 'function', function: searchCall(sources) }
  const delta = { role: 'assistant', content: '', tool_calls: [call] }
  const choices = Array.from({ length: count }, (_unused, index) => ({ index, delta, finish_reason: null }))
  return { ...first, object: 'chat.completion.chunk', choices }
}

function searchCall(sources: readonly Source[]): JsonObject {
  const documents = sources.map(({ title, url, content, date }, index) => ({
    id: String(index + 1),
    title,
    url,
    snippet: content,
    published_at: date,
  }))
  return { name: 'web_search', arguments: JSON.stringify({ documents }) }
}

/** Makes place for the first call. */
const moveCalls = mapChoices(() => choice => {
  const delta = deltaOf(choice)
  const { tool_calls: calls } = delta
  if (!Array.isArray(calls)) return choice
  return withDelta(choice, { ...delta, tool_calls: calls.map(moveCall) })
})

function moveCall(call: JsonValue, position: number): JsonValue {
  if (!isJsonObject(call)) return call
  return { ...call, index: (typeof call['index'] === 'number' ? call['index'] : position) + 1 }
}
