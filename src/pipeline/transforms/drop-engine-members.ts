import type { CompletionEvent } from '../../core/completion-event.ts'
import type { JsonObject } from '../../lib/json.ts'

/** Which build answers, and what the operator pays for it: callers read our own `cost`, and of the build nothing. */
const ofChunks = ['system_fingerprint', 'cost']
const ofUsage = ['cost', 'cost_details', 'is_byok']

/** What an engine tells its own customer, the operator, is not passed on to callers. */
export async function* dropEngineMembers(events: AsyncIterable<CompletionEvent>): AsyncGenerator<CompletionEvent> {
  for await (const event of events) {
    if (event.type === 'chunk') yield { type: 'chunk', chunk: without(event.chunk, ofChunks) }
    else if (event.type === 'usage') yield { type: 'usage', usage: without(event.usage, ofUsage) }
    else yield event
  }
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some(name => Object.hasOwn(object, name))) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
