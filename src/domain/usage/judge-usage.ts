import type { Usage } from '../../core/usage.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** What the request that is being answered can have used at most. */
export interface UsageBounds {
  /** The hold's bound of the prompt, capped at the model's context. */
  readonly promptTokensBound: number
  readonly choices: number
  /** The effective output limit per choice. */
  readonly outputLimit: number
}

export type UsageVerdict =
  | { readonly verdict: 'plausible'; readonly usage: Usage }
  /** The engine did not report; that is not the same as reporting zero. */
  | { readonly verdict: 'missing' }
  /** One part cannot be true, so none of it is believed: the whole usage is estimated (venym.md §8). */
  | { readonly verdict: 'implausible'; readonly problem: string }

/** Engines put the same count in different places; the first that is present counts. */
const cachedPaths = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['cache_read_input_tokens'],
  ['prompt_cache_hit_tokens'],
] as const
const cacheWritePaths = [
  ['prompt_tokens_details', 'cache_write_tokens'],
  ['prompt_tokens_details', 'cache_creation_tokens'],
  ['cache_creation_input_tokens'],
] as const
const reasoningPaths = [['completion_tokens_details', 'reasoning_tokens'], ['reasoning_tokens']] as const

type Path = readonly [string] | readonly [string, string]

class Implausible extends Error {}

/**
 * Judges the `usage` of an engine's answer, which is untrusted input (money.md §1). Counts are whole numbers from 0 to
 * 2^53 − 1; the prompt is within the hold's bound, the completion within all choices' output limits, and parts are not
 * larger than what they are part of.
 */
export function judgeUsage(report: JsonValue | undefined, bounds: UsageBounds): UsageVerdict {
  if (report === undefined || report === null) return { verdict: 'missing' }
  if (!isJsonObject(report)) return { verdict: 'implausible', problem: 'usage is not an object' }
  try {
    const promptTokens = readCount(report, [['prompt_tokens']])
    const completionTokens = readCount(report, [['completion_tokens']])
    if (promptTokens === null || completionTokens === null) return { verdict: 'missing' }
    const usage = {
      promptTokens,
      completionTokens,
      cachedTokens: readCount(report, cachedPaths) ?? 0,
      cacheWriteTokens: readCount(report, cacheWritePaths) ?? 0,
      reasoningTokens: readCount(report, reasoningPaths) ?? 0,
    }
    const problem = findProblem(usage, bounds)
    return problem === null ? { verdict: 'plausible', usage } : { verdict: 'implausible', problem }
  } catch (error) {
    if (error instanceof Implausible) return { verdict: 'implausible', problem: error.message }
    throw error
  }
}

function findProblem(usage: Usage, bounds: UsageBounds): string | null {
  if (usage.promptTokens > bounds.promptTokensBound) return 'prompt_tokens is more than the prompt can have'
  if (usage.completionTokens > bounds.choices * bounds.outputLimit)
    return 'completion_tokens is more than the output limit'
  if (usage.cachedTokens + usage.cacheWriteTokens > usage.promptTokens)
    return 'cached and written tokens are more than prompt_tokens'
  if (usage.reasoningTokens > usage.completionTokens) return 'reasoning tokens are more than completion_tokens'
  return null
}

function readCount(report: JsonObject, paths: readonly Path[]): number | null {
  for (const path of paths) {
    const value = readPath(report, path)
    if (value === undefined || value === null) continue
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw new Implausible(`${path.join('.')} is not a whole number of tokens`)
    // JSON can spell -0, which is zero.
    return Math.abs(value)
  }
  return null
}

function readPath(report: JsonObject, [first, second]: Path): JsonValue | undefined {
  const value = member(report, first)
  if (second === undefined || value === undefined || value === null) return value
  if (!isJsonObject(value)) throw new Implausible(`${first} is not an object`)
  return member(value, second)
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
