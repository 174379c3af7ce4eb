import { deltaOf, mapChoices } from './map-choices.ts'

/** The four reasons that clients know, and words of engines for them. Any other word means that the answer ended. */
const knownReasons: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['abort', 'length'],
  ['error', 'length'],
  ['content_filter', 'content_filter'],
  ['safety', 'content_filter'],
  ['refusal', 'content_filter'],
])

/** An answer that calls tools ends with `tool_calls`, also where the engine said `stop`; one that was cut stays cut. */
export const finishReason = mapChoices(() => {
  const calling = new Set<number>()
  return (choice, index) => {
    const { tool_calls: calls } = deltaOf(choice)
    if (Array.isArray(calls) && calls.length > 0) calling.add(index)
    const said = choice['finish_reason']
    if (typeof said !== 'string') return choice
    const reason = knownReasons.get(said) ?? 'stop'
    return { ...choice, finish_reason: reason === 'stop' && calling.has(index) ? 'tool_calls' : reason }
  }
})
