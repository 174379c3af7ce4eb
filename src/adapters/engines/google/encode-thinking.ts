import type { JsonObject } from '../../../lib/json.ts'
import type { Chat } from '../chat/chat.ts'
import type { GeminiFacts } from './gemini-facts.ts'

/** Tokens, as the API's own OpenAI-compatible form translates efforts. */
const budgets: Readonly<Record<string, number>> = { minimal: 512, low: 1_024, medium: 8_192, high: 24_576 }
const budgetMax = 24_576
/** The model decides by the question. */
const dynamicBudget = -1

/** Thoughts count against the output limit: this part of it is left for the answer. */
const answerShare = 0.2

const levels: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high'])

/** A wish to think in the spelling of the model's version; null leaves it to the model. */
export function encodeThinking({ reasoning }: Chat, facts: GeminiFacts, outputLimit: number): JsonObject | null {
  const { effort, enabled } = reasoning
  if (effort === null && enabled === null) return null
  if (effort === null && enabled === false) return off(facts)
  const shown = { includeThoughts: true }
  if (facts.thinking === 'level')
    return effort === null ? shown : { ...shown, thinkingLevel: levels.has(effort) ? effort : 'high' }
  if (effort === null) return { ...shown, thinkingBudget: dynamicBudget }
  const budget = Math.min(budgets[effort] ?? budgetMax, Math.floor(outputLimit * (1 - answerShare)))
  return { ...shown, thinkingBudget: budget }
}

/** The newer versions cannot stop: they think as little as they can. */
function off({ thinking }: GeminiFacts): JsonObject {
  return thinking === 'level' ? { thinkingLevel: 'minimal' } : { thinkingBudget: 0 }
}
