import type { JsonObject } from '../../lib/json.ts'
import { type ChoiceStep, deltaOf, isLast, mapChoices, saysSomething, withDelta } from './map-choices.ts'
import { type SplitText, ThinkSplitter } from './think-splitter.ts'

/** Moves what stands between `<think>` and `</think>` in the text to `reasoning_content`, choice by choice. */
export const splitThinking = mapChoices(() => {
  const splitters = new Map<number, ThinkSplitter>()
  const step: ChoiceStep = (choice, index) => {
    const splitter = splitters.get(index) ?? new ThinkSplitter()
    splitters.set(index, splitter)
    const { content } = deltaOf(choice)
    if (typeof content !== 'string' && !isLast(choice)) return choice
    const text = typeof content === 'string' ? content : ''
    const pieces = [splitter.push(text), ...(isLast(choice) ? [splitter.end()] : [])]
    return withSplit(choice, join(pieces))
  }
  return step
})

function join(pieces: readonly SplitText[]): SplitText {
  return {
    content: pieces.map(piece => piece.content).join(''),
    reasoning: pieces.map(piece => piece.reasoning).join(''),
  }
}

/** A piece of which everything is held back is not sent. */
function withSplit(choice: JsonObject, { content, reasoning }: SplitText): JsonObject | null {
  const delta = deltaOf(choice)
  const before = delta['reasoning_content']
  const thought = (typeof before === 'string' ? before : '') + reasoning
  const changed = { ...delta }
  if (content !== '' || typeof delta['content'] === 'string') changed['content'] = content
  if (reasoning !== '') changed['reasoning_content'] = thought
  const isWorthSending = isLast(choice) || saysSomething(changed) || delta['content'] === ''
  return isWorthSending ? withDelta(choice, changed) : null
}
