import type { JsonObject } from '../../../lib/json.ts'
import type { Chat } from '../chat/chat.ts'
import type { ClaudeFacts } from './claude-facts.ts'

/** The API's least. */
const budgetTokensMin = 1_024

/** How much of the output limit each effort may think. */
const budgetShares: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.9,
  max: 0.95,
}
const usualShare = 0.5

export interface ThinkingMembers {
  /** Null leaves it to the model. */
  readonly thinking: JsonObject | null
  readonly effort: string | null
}

/**
 * A wish to think in the spelling of the model's version. The budget is a part of the output limit, never on top of it:
 * the caller's money is held for the limit. A call that must use a tool cannot think first, so there the tool wins.
 */
export function encodeThinking(chat: Chat, facts: ClaudeFacts, outputLimit: number): ThinkingMembers {
  const { effort, enabled } = chat.reasoning
  if (effort === null && enabled === false) return { thinking: { type: 'disabled' }, effort: null }
  const isForced = chat.toolChoice.kind === 'required' || chat.toolChoice.kind === 'named'
  if ((effort === null && enabled === null) || isForced) return { thinking: null, effort: null }
  if (facts.thinking === 'adaptive') {
    // The newest versions keep what they think to themselves unless they are asked for a summary.
    return { thinking: { type: 'adaptive', display: 'summarized' }, effort: effort === 'minimal' ? 'low' : effort }
  }
  if (outputLimit <= budgetTokensMin) return { thinking: null, effort: null }
  const share = effort === null ? usualShare : (budgetShares[effort] ?? usualShare)
  const budget = Math.min(Math.max(Math.floor(outputLimit * share), budgetTokensMin), outputLimit - 1)
  return { thinking: { type: 'enabled', budget_tokens: budget }, effort: null }
}
