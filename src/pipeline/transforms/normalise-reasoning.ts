import { deltaOf, mapChoices, withDelta } from './map-choices.ts'

/** Engines spell reasoning `reasoning` or `reasoning_content`, some of them both; callers get the second. */
export const normaliseReasoning = mapChoices(() => choice => {
  const { reasoning, ...delta } = deltaOf(choice)
  if (reasoning === undefined) return choice
  const known = delta['reasoning_content']
  if (typeof reasoning !== 'string' || (typeof known === 'string' && known !== '')) return withDelta(choice, delta)
  return withDelta(choice, { ...delta, reasoning_content: reasoning })
})
