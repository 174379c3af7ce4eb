import { isJsonObject, type JsonValue } from '../../lib/json.ts'

/**
 * Of the log-probabilities of an answer whose thoughts were left out, those of the text. Thoughts come first, so these are
 * the last tokens that spell the text; where none do, nothing is told, because a token of a thought might be.
 */
export function shownLogprobs(logprobs: JsonValue | undefined, content: JsonValue | undefined): JsonValue {
  if (!isJsonObject(logprobs) || typeof content !== 'string') return null
  const tokens = logprobs['content']
  if (!Array.isArray(tokens)) return null
  let said = ''
  for (let from = tokens.length - 1; from >= 0 && said.length < content.length; from--) {
    said = tokenOf(tokens[from]) + said
    // Texts of the same length alone are compared, so that a long answer takes no time to speak of.
    if (said.length === content.length && said === content) return { ...logprobs, content: tokens.slice(from) }
  }
  return null
}

function tokenOf(entry: JsonValue | undefined): string {
  return isJsonObject(entry) && typeof entry['token'] === 'string' ? entry['token'] : ''
}
