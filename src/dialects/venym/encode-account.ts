import type { JsonMembers } from '../../core/answer-encoder.ts'
import { type Amount, formatUsd } from '../../core/money.ts'
import { objectJson } from '../openai/usage-json.ts'

/**
 * Answers of the small account routes (venym.md §7). Amounts are JSON numbers in USD, so these functions give JSON text:
 * a number literal made from nano-USD is exact, a floating-point number on the way would not be.
 */
export interface CreditsFacts {
  readonly creditedNano: Amount
  readonly debitedNano: Amount
  readonly balanceNano: Amount
  readonly availableNano: Amount
}

export function encodeCredits(facts: CreditsFacts): string {
  return dataJson({
    total_credits: usd(facts.creditedNano),
    total_usage: usd(facts.debitedNano),
    balance: usd(facts.balanceNano),
    available: usd(facts.availableNano),
  })
}

export interface KeyFacts {
  readonly label: string
  readonly type: string
  readonly limitNano: Amount | null
  readonly limitRemainingNano: Amount | null
  readonly limitReset: 'daily' | 'monthly' | null
  readonly usageNano: Amount
  readonly usageDailyNano: Amount
  readonly usageWeeklyNano: Amount
  readonly usageMonthlyNano: Amount
  readonly expiresAtMs: number | null
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  readonly requestsPerDay: number | null
  readonly concurrency: number | null
}

export function encodeKey(facts: KeyFacts): string {
  const rate = {
    requests_per_minute: facts.requestsPerMinute,
    tokens_per_minute: facts.tokensPerMinute,
    requests_per_day: facts.requestsPerDay,
    concurrency: facts.concurrency,
  }
  return dataJson({
    label: JSON.stringify(facts.label),
    type: JSON.stringify(facts.type),
    limit: usd(facts.limitNano),
    limit_remaining: usd(facts.limitRemainingNano),
    limit_reset: JSON.stringify(facts.limitReset),
    usage: usd(facts.usageNano),
    usage_daily: usd(facts.usageDailyNano),
    usage_weekly: usd(facts.usageWeeklyNano),
    usage_monthly: usd(facts.usageMonthlyNano),
    expires_at: JSON.stringify(facts.expiresAtMs === null ? null : isoTime(facts.expiresAtMs)),
    rate_limit: JSON.stringify(rate),
  })
}

function dataJson(members: JsonMembers): string {
  return `{"data":${objectJson(members)}}`
}

/** An amount as a JSON number in USD, or `null`. */
export function usd(amount: Amount | null): string {
  return amount === null ? 'null' : formatUsd(amount)
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
