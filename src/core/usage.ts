/**
 * Tokens counted for one completion. Cached and cache-write tokens are parts of the prompt tokens, reasoning tokens are
 * part of the completion tokens (money.md §5).
 */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

/** Who counted: the engine's own report, or our estimate from text length because the report is missing or implausible. */
export type UsageSource = 'engine' | 'estimated'

export const noUsage: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
}

const charactersPerToken = 4

/** The seed's estimate for the bill: `ceil(characters / 4)`, characters being Unicode code points (money.md §5). */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}
