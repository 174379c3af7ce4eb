import type { JsonObject } from '../../../lib/json.ts'
import { splitTokens } from './tokens.ts'

/** Tokens that might have come instead, in this order. */
const others = Array.from({ length: 21 }, (_, index) => ` other${index + 1}`)

/**
 * Log-probabilities for the tokens of a text, in the shape of OpenAI. They are invented: the token that came is the
 * likeliest, each alternative half as likely as the one before, and together they never exceed 1.
 */
export function inventLogprobs(text: string, alternatives: number): JsonObject {
  return { content: splitTokens(text).map(token => inventToken(token, alternatives)), refusal: null }
}

function inventToken(token: string, alternatives: number): JsonObject {
  const probability = 0.95 - (token.length % 4) * 0.05
  const rest = others
    .filter(other => other !== token)
    .slice(0, Math.max(0, alternatives - 1))
    .map((other, index) => describe(other, (1 - probability) / 2 ** (index + 1)))
  const own = describe(token, probability)
  return { ...own, top_logprobs: alternatives === 0 ? [] : [own, ...rest] }
}

function describe(token: string, probability: number): JsonObject {
  return { token, logprob: Math.log(probability), bytes: [...Buffer.from(token)] }
}
