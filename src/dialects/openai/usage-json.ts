import type { AnswerFacts, JsonMembers } from '../../core/answer-encoder.ts'
import { formatUsd } from '../../core/money.ts'
import type { Charge, ChargeKind } from '../../core/price.ts'

/** Cost in USD beside the tokens, as number literals that are exact to the nano-USD (venym.md §3). */
export function costMembers(charge: Charge): { readonly cost: string; readonly cost_details: string } {
  const cost = formatUsd(charge.totalNano)
  const prompt = formatUsd(sumOf(charge, ['input', 'cache_read', 'cache_write']))
  const completion = formatUsd(sumOf(charge, ['output']))
  const search = formatUsd(sumOf(charge, ['search', 'page']))
  const details = `{"upstream_inference_cost":null,"prompt_cost":${prompt},"completion_cost":${completion},"web_search_cost":${search}}`
  return { cost, cost_details: details }
}

function sumOf(charge: Charge, kinds: readonly ChargeKind[]): bigint {
  return charge.lines.reduce((sum, line) => (kinds.includes(line.kind) ? sum + line.amountNano : sum), 0n)
}

/** A `usage` object of our own figures, for engines that report none. */
export function usageJson(facts: AnswerFacts): string {
  const { usage, charge } = facts
  const total = usage.promptTokens + usage.completionTokens
  const tokens = {
    prompt_tokens: `${usage.promptTokens}`,
    completion_tokens: `${usage.completionTokens}`,
    total_tokens: `${total}`,
  }
  return objectJson({ ...tokens, ...(charge === null ? {} : costMembers(charge)) })
}

/** An object from members whose values are JSON text already. */
export function objectJson(members: JsonMembers): string {
  return `{${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`
}
