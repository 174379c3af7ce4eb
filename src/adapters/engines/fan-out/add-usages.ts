import { isJsonObject, type JsonObject } from '../../../lib/json.ts'

/**
 * What all calls of one request used: the output of each, and the prompt once, because the caller sent it once. It is the
 * largest that was reported, with the details of that report. A report that cannot be added is given as it is, so that it
 * is judged like any other of its kind.
 */
export function addUsages(usages: readonly JsonObject[]): JsonObject | null {
  const odd = usages.find(
    usage => countOf(usage, 'prompt_tokens') === null || countOf(usage, 'completion_tokens') === null,
  )
  if (odd !== undefined) return odd
  const largest = usages.reduce<JsonObject | null>(
    (most, usage) => (most === null || promptOf(usage) > promptOf(most) ? usage : most),
    null,
  )
  if (largest === null) return null
  const completion = usages.reduce((sum, usage) => sum + (countOf(usage, 'completion_tokens') ?? 0), 0)
  const reasoning = usages.reduce((sum, usage) => sum + reasoningOf(usage), 0)
  return {
    ...largest,
    completion_tokens: completion,
    total_tokens: promptOf(largest) + completion,
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

function promptOf(usage: JsonObject): number {
  return countOf(usage, 'prompt_tokens') ?? 0
}

function reasoningOf({ completion_tokens_details: details }: JsonObject): number {
  return isJsonObject(details) ? (countOf(details, 'reasoning_tokens') ?? 0) : 0
}

function countOf(object: JsonObject, name: string): number | null {
  const count = object[name]
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}
