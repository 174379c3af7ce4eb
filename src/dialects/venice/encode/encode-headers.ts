import type { HeadFacts } from '../../../core/answer-encoder.ts'
import type { Balances } from '../../../core/currency.ts'
import type { Model } from '../../../core/model.ts'
import { type Amount, formatUsd } from '../../../core/money.ts'
import type { BudgetView, Limit, RateView } from '../../../core/rate-view.ts'

/** Headers of an answer: which model answers, and what the caller has and has left (venice.md §2.3). */
export function answerHeaders({
  model,
  rates,
  rateOwner,
  failures,
  balances,
  nowMs,
}: HeadFacts): Record<string, string> {
  return {
    'x-venice-model-id': model.id,
    'x-venice-model-name': headerText(model.name),
    'x-venice-model-router': headerText(model.ownedBy),
    ...deprecationHeaders(model),
    ...standingHeaders({ rates, rateOwner, balances }, nowMs),
    ...(failures === null ? {} : budgetHeaders(failures)),
  }
}

/** What the caller had before the request, and what is left of its rates. */
export function standingHeaders(
  { rates, rateOwner, balances }: Pick<HeadFacts, 'rates' | 'rateOwner' | 'balances'>,
  nowMs: number,
): Record<string, string> {
  return { ...balanceHeaders(balances), ...rateHeaders(rates, nowMs), 'x-ratelimit-type': rateTypes[rateOwner] }
}

/** Whose rate it is that ends first, as clients of this surface know it. */
export const rateTypes = { account: 'user', key: 'api_key' } as const

const nanoPerMicro = 1_000n

/** What the account had before the request, so that nothing is said here that the request itself changes. */
export function balanceHeaders({ usdNano, diemNano }: Balances): Record<string, string> {
  return {
    'x-venice-balance-usd': formatUsd(usdNano),
    ...(diemNano === 0n ? {} : { 'x-venice-balance-diem': formatUsd(diemNano) }),
    'x-balance-remaining': sixDecimals(usdNano),
  }
}

/** Rounded down: nobody is told of money that is not there. */
function sixDecimals(nano: Amount): string {
  const micros = nano >= 0n ? nano / nanoPerMicro : -((-nano + nanoPerMicro - 1n) / nanoPerMicro)
  const [whole = '0', fraction = ''] = formatUsd(micros * nanoPerMicro).split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}

/** The error budget, whose names look like those of a rate and have another ending (venice.md §5.4). */
export function budgetHeaders({ remaining, resetsAtMs }: BudgetView): Record<string, string> {
  return { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-resets': String(Math.ceil(resetsAtMs)) }
}

/** Resets are absolute, in Unix milliseconds. What has no limit has no headers. */
export function rateHeaders(view: RateView, nowMs: number): Record<string, string> {
  return {
    ...triple('requests', view.limitRequests, [view.remainingRequests, nowMs + view.resetRequestsMs]),
    ...triple('tokens', view.limitTokens, [view.remainingTokens, nowMs + view.resetTokensMs]),
  }
}

function triple(
  unit: 'requests' | 'tokens',
  limit: Limit,
  [remaining, resetAtMs]: readonly [remaining: number, resetAtMs: number],
): Record<string, string> {
  if (limit === 'unlimited') return {}
  return {
    [`x-ratelimit-limit-${unit}`]: String(limit),
    [`x-ratelimit-remaining-${unit}`]: String(remaining),
    [`x-ratelimit-reset-${unit}`]: String(Math.ceil(resetAtMs)),
  }
}

/** As long as a model that ends still answers, each answer says so (venice.md §1.6). */
function deprecationHeaders({ id, deprecation }: Model): Record<string, string> {
  if (deprecation === null) return {}
  const { date, successor, autoRemap } = deprecation
  const then = autoRemap ? 'answers for it from then on' : 'takes its place'
  const next = successor === null ? '' : ` ${successor} ${then}.`
  return {
    'x-venice-model-deprecation-warning': headerText(`The model ${id} ends on ${date}.${next}`),
    'x-venice-model-deprecation-date': date,
  }
}

/** A name may hold any letters; a header may not. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
