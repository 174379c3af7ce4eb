import type { JsonObject } from '../../../lib/json.ts'

/**
 * Thoughts are output that the API counts beside the answer; what came from a cache is a part of the prompt already
 * (money.md §5). Null when it counted nothing.
 */
export function encodeUsage(usage: JsonObject): JsonObject | null {
  if (typeof usage['promptTokenCount'] !== 'number') return null
  const prompt = usage['promptTokenCount'] + countOf(usage, 'toolUsePromptTokenCount')
  const thought = countOf(usage, 'thoughtsTokenCount')
  const completion = countOf(usage, 'candidatesTokenCount') + thought
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: countOf(usage, 'cachedContentTokenCount') },
    completion_tokens_details: { reasoning_tokens: thought },
  }
}

function countOf(object: JsonObject, name: string): number {
  const count = object[name]
  return typeof count === 'number' ? count : 0
}
