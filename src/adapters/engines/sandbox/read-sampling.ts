import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'

const stopsMax = 16
const topLogprobsMax = 20

/** Tokens of reasoning by effort. */
const effortTokens: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 8,
  low: 16,
  medium: 32,
  high: 64,
  xhigh: 128,
  max: 256,
}

/** What of a request decides how an answer is cut and shown, not what it says. */
export interface Sampling {
  /** Answers. */
  readonly choices: number
  readonly stop: readonly string[]
  /** Alternatives per token, 0–20; null when no log-probabilities are wanted. */
  readonly logprobs: number | null
  readonly reasoningTokens: number
}

/** @throws RequestRefused */
export function readSampling(fields: JsonObject, choicesMax: number): Sampling {
  const { n } = fields
  return {
    choices: typeof n === 'number' && n >= 1 ? Math.min(Math.floor(n), choicesMax) : 1,
    stop: readStop(fields['stop']),
    logprobs: readLogprobs(fields),
    reasoningTokens: readReasoning(fields),
  }
}

function readStop(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  const stops = Array.isArray(value) ? value : [value]
  if (stops.length <= stopsMax && stops.every(stop => typeof stop === 'string' && stop !== '')) return stops.map(String)
  throw invalidField('stop', `must be a text or a list of at most ${stopsMax} texts that are not empty`)
}

function readLogprobs(fields: JsonObject): number | null {
  const wanted = fields['logprobs'] ?? false
  const alternatives = fields['top_logprobs'] ?? 0
  if (typeof wanted !== 'boolean') throw invalidField('logprobs', 'must be true or false')
  if (typeof alternatives !== 'number' || !Number.isInteger(alternatives) || alternatives < 0)
    throw invalidField('top_logprobs', 'must be a whole number')
  if (alternatives > topLogprobsMax) throw invalidField('top_logprobs', `must be at most ${topLogprobsMax}`)
  if (alternatives > 0 && !wanted) throw invalidField('top_logprobs', 'needs `logprobs: true` beside it')
  return wanted ? alternatives : null
}

/** Both spellings that clients use; without either of them there is no reasoning. */
function readReasoning(fields: JsonObject): number {
  const nested = isJsonObject(fields['reasoning']) ? fields['reasoning'] : {}
  if (nested['enabled'] === false) return 0
  const own = fields['reasoning_effort'] ?? null
  const param = own === null ? 'reasoning.effort' : 'reasoning_effort'
  const effort = own ?? nested['effort'] ?? 'none'
  const tokens = typeof effort === 'string' && Object.hasOwn(effortTokens, effort) ? effortTokens[effort] : undefined
  if (tokens === undefined) throw invalidField(param, `must be one of ${Object.keys(effortTokens).join(', ')}`)
  return tokens
}
