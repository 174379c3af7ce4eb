import type { CompletionEvent } from '../../../core/completion-event.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import { addUsages } from './add-usages.ts'

interface Step {
  readonly source: number
  readonly result: IteratorResult<CompletionEvent>
}

/**
 * Answers with one choice each as one answer with all of them, in the order in which they come. Usage is said once, at the
 * end, and only when each of them said its own. What one source throws ends the whole.
 */
export async function* mergeChoices(
  sources: readonly AsyncIterable<CompletionEvent>[],
): AsyncGenerator<CompletionEvent> {
  const iterators = sources.map(source => source[Symbol.asyncIterator]())
  const waiting = new Map<number, Promise<Step>>()
  const usages = new Map<number, JsonObject>()
  const ask = (source: number): void => {
    const step = iterators[source]?.next().then(result => ({ source, result }))
    // Whoever waits hears of it; after another source has failed nobody does.
    step?.catch(() => undefined)
    if (step !== undefined) waiting.set(source, step)
  }
  for (const source of iterators.keys()) ask(source)
  while (waiting.size > 0) {
    const { source, result } = await Promise.race(waiting.values())
    waiting.delete(source)
    const event: CompletionEvent = result.done === true ? { type: 'end' } : result.value
    if (event.type === 'end') continue
    if (event.type === 'usage') usages.set(source, event.usage)
    else yield event.type === 'chunk' ? { type: 'chunk', chunk: numbered(event.chunk, source) } : event
    ask(source)
  }
  const whole = usages.size === sources.length ? addUsages([...usages.values()]) : null
  if (whole !== null) yield { type: 'usage', usage: whole }
  yield { type: 'end' }
}

function numbered(chunk: JsonObject, index: number): JsonObject {
  const { choices } = chunk
  if (!Array.isArray(choices)) return chunk
  return { ...chunk, choices: choices.map(choice => (isJsonObject(choice) ? { ...choice, index } : choice)) }
}
