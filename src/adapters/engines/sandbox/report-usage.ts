import type { JsonObject } from '../../../lib/json.ts'
import type { Magic } from './magic-inputs.ts'

export interface TokenCounts {
  readonly prompt: number
  /** Reasoning included. */
  readonly completion: number
  readonly reasoning: number
}

/** More tokens than any request can have, and still a whole number that JSON carries exactly. */
const hugeTokens = 9_000_000_000_000_000

/** The usage reports of an answer: one, unless a magic input wants none, several or wrong ones. */
export function reportUsage(counts: TokenCounts, magic: Magic): readonly JsonObject[] {
  if (magic['no-usage']) return []
  const report = encodeUsage(counts, magic)
  const { prompt, completion } = counts
  switch (magic.usage) {
    case 'zero':
      return [encodeUsage({ prompt: 0, completion: 0, reasoning: 0 }, magic)]
    case 'negative':
      return [{ ...report, prompt_tokens: -1, completion_tokens: -1, total_tokens: -2 }]
    case 'huge':
      return [{ ...report, completion_tokens: hugeTokens, total_tokens: hugeTokens }]
    case 'shrinking':
      return [report, encodeUsage({ ...counts, completion: Math.floor(completion / 2), reasoning: 0 }, magic)]
    case 'twice':
      return [report, report]
    case 'text':
      return [{ ...report, prompt_tokens: String(prompt), completion_tokens: String(completion) }]
    default:
      return [report]
  }
}

/** Cached and written tokens are parts of the prompt's, so they are never more. */
function encodeUsage({ prompt, completion, reasoning }: TokenCounts, magic: Magic): JsonObject {
  const cached = Math.min(magic.cached ?? 0, prompt)
  const written = Math.min(magic['cache-write'] ?? 0, prompt - cached)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: cached,
      ...(magic['cache-write'] === undefined ? {} : { cache_write_tokens: written }),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
