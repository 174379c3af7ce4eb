import type { JsonMembers } from '../../core/answer-encoder.ts'
import { type Amount, formatUsd } from '../../core/money.ts'
import type { Charge } from '../../core/price.ts'
import type { Usage, UsageSource } from '../../core/usage.ts'
import { costMembers, objectJson } from '../openai/usage-json.ts'
import { isoTime, usd } from './encode-account.ts'

/** One past call, as its record and its hold tell it. */
export interface GenerationFacts {
  readonly generationId: string
  readonly model: string
  readonly createdAtMs: number
  readonly stream: boolean
  readonly outcome: string
  readonly finishReason: string | null
  readonly engine: string | null
  readonly usage: Usage
  readonly usageSource: UsageSource
  readonly firstByteMs: number | null
  readonly totalMs: number
  readonly attempts: readonly { readonly node: string; readonly status: number | string; readonly ms: number }[]
  readonly priceVersion: string
  readonly costNano: Amount
  readonly lines: Charge['lines']
}

export interface GenerationHold {
  readonly heldNano: Amount
  readonly settledNano: Amount | null
  readonly state: string
  readonly balanceBeforeNano: Amount
  readonly balanceAfterNano: Amount | null
}

/** JSON text of `GET /v1/generation` (venym.md §7): the charge explained. The node's name is the operator's business. */
export function encodeGeneration(facts: GenerationFacts, hold: GenerationHold | null, forOperator: boolean): string {
  const { usage } = facts
  const { cost, cost_details: details } = costMembers({ lines: facts.lines, totalNano: facts.costNano })
  const described = {
    id: facts.generationId,
    model: facts.model,
    created_at: isoTime(facts.createdAtMs),
    streamed: facts.stream,
    outcome: facts.outcome,
    finish_reason: facts.finishReason,
    provider_name: forOperator ? facts.engine : null,
    tokens_prompt: usage.promptTokens,
    tokens_completion: usage.completionTokens,
    native_tokens_reasoning: usage.reasoningTokens,
    native_tokens_cached: usage.cachedTokens,
    usage_source: facts.usageSource,
    latency: facts.firstByteMs,
    generation_time: facts.totalMs,
    attempts: facts.attempts,
    price_version: facts.priceVersion,
  }
  const members = Object.fromEntries(Object.entries(described).map(([name, value]) => [name, JSON.stringify(value)]))
  return `{"data":${objectJson({ ...members, total_cost: cost, cost_details: details, ...holdMembers(hold) })}}`
}

function holdMembers(hold: GenerationHold | null): JsonMembers {
  if (hold === null) return { hold: 'null', settled: 'null' }
  return {
    hold: formatUsd(hold.heldNano),
    settled: usd(hold.settledNano),
    hold_state: JSON.stringify(hold.state),
    balance_before: formatUsd(hold.balanceBeforeNano),
    balance_after: usd(hold.balanceAfterNano),
  }
}
