import { isJsonObject, type JsonObject } from '../../../lib/json.ts'

/**
 * The API counts what came from a cache and what went into one apart from `input_tokens`; here they are parts of the
 * prompt (money.md §5). Null when it counted nothing.
 */
export function encodeUsage(usage: JsonObject): JsonObject | null {
  const { input_tokens: fresh, output_tokens: output, output_tokens_details: details } = usage
  if (typeof fresh !== 'number' || typeof output !== 'number') return null
  const cached = countOf(usage, 'cache_read_input_tokens')
  const written = countOf(usage, 'cache_creation_input_tokens')
  const thought = isJsonObject(details) ? countOf(details, 'thinking_tokens') : 0
  const prompt = fresh + cached + written
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    completion_tokens_details: { reasoning_tokens: thought },
  }
}

function countOf(object: JsonObject, name: string): number {
  const count = object[name]
  return typeof count === 'number' ? count : 0
}
