import type { CompletionEvent } from '../../core/completion-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'
import type { EventTransform } from './transform.ts'

/** One choice of a chunk, changed. Null leaves it out of the chunk. */
export type ChoiceStep = (choice: JsonObject, index: number) => JsonObject | null

/**
 * A step that looks at one choice at a time. `begin` is called once per answer, so that a step may remember what it has
 * seen of each choice. A chunk whose choices were all left out is not sent on; one that had none passes untouched.
 */
export function mapChoices(begin: () => ChoiceStep): EventTransform {
  return async function* (events: AsyncIterable<CompletionEvent>): AsyncGenerator<CompletionEvent> {
    const step = begin()
    for await (const event of events) {
      const mapped = event.type === 'chunk' ? mapChunk(event.chunk, step) : event
      if (mapped !== null) yield mapped
    }
  }
}

function mapChunk(chunk: JsonObject, step: ChoiceStep): CompletionEvent | null {
  const { choices } = chunk
  if (!Array.isArray(choices) || choices.length === 0) return { type: 'chunk', chunk }
  const kept = choices.flatMap((choice, position): JsonValue[] => {
    if (!isJsonObject(choice)) return [choice]
    const mapped = step(choice, typeof choice['index'] === 'number' ? choice['index'] : position)
    return mapped === null ? [] : [mapped]
  })
  return kept.length === 0 ? null : { type: 'chunk', chunk: { ...chunk, choices: kept } }
}

/** The choice with other members in its delta. */
export function withDelta(choice: JsonObject, delta: JsonObject): JsonObject {
  return { ...choice, delta }
}

export function deltaOf(choice: JsonObject): JsonObject {
  return isJsonObject(choice['delta']) ? choice['delta'] : {}
}

/** Whether anybody would miss the piece: an empty text alone says nothing. */
export function saysSomething(delta: JsonObject): boolean {
  return Object.entries(delta).some(([name, value]) => name !== 'content' || (value !== '' && value !== null))
}

/** True once the choice says why it ended: nothing of it follows. */
export function isLast(choice: JsonObject): boolean {
  return typeof choice['finish_reason'] === 'string'
}
