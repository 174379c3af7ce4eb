import type { CompletionEvent } from '../../core/completion-event.ts'
import { deltaOf, isLast, mapChoices, saysSomething } from './map-choices.ts'
import { shownLogprobs } from './shown-logprobs.ts'
import { chain, type EventTransform } from './transform.ts'
import { withoutReasoning } from './without-reasoning.ts'

/** Log-probabilities and numbers of tokens are of the thoughts as well, so that only what is the text's own may stay. */
const stripChoices = mapChoices(() => choice => {
  const stripped = withoutReasoning(choice)
  if (stripped === choice) return choice
  const { token_ids: _ids, ...shown } = stripped
  const delta = deltaOf(shown)
  if (!isLast(shown) && !saysSomething(delta)) return null
  return 'logprobs' in shown ? { ...shown, logprobs: shownLogprobs(shown['logprobs'], delta['content']) } : shown
})

async function* stripAround(events: AsyncIterable<CompletionEvent>): AsyncGenerator<CompletionEvent> {
  for await (const event of events) {
    if (event.type !== 'chunk') yield event
    else {
      const { choices, ...around } = event.chunk
      yield { type: 'chunk', chunk: { ...withoutReasoning(around), ...(choices === undefined ? {} : { choices }) } }
    }
  }
}

/** Leaves out reasoning in every spelling and place. A piece that was nothing else is left out altogether. */
export const stripReasoning: EventTransform = chain(stripAround, stripChoices)
