import { balancesOf } from '../../core/currency.ts'
import type { Limit } from '../limits/types.ts'
import { currentKeyPeriod, decideMoney } from './decide-money.ts'
import { decideRates } from './decide-rates.ts'
import type { AdmissionDecision, AdmissionRequest, AdmissionState, Refusal } from './types.ts'

/** The bounds of every `Retry-After` that callers see (venym.md §5). */
const retryAfterMinMs = 1_000
const retryAfterMaxMs = 60_000

/** A place is free again when any running request ends; a second is when asking again begins to make sense. */
const concurrencyRetryMs = 1_000

/**
 * The one decision that lets a request run: rights, then rates, then concurrency, then money (venym.md §8). It is pure:
 * the store reads the state, calls this, and writes all of an admission's changes in the same transaction. A refusal
 * carries no changes. The hold is `fixedNano + ceil(choices × outputLimit × price / 10^6)` (money.md §3).
 * @throws RangeError when the request's quantities or prices are not safe, non-negative integers.
 */
export function decideAdmission(state: AdmissionState, request: AdmissionRequest): AdmissionDecision {
  if (!isKeyValid(state, request.nowMs)) return refuse('invalid_api_key', { rates: null, balances: null })
  const money = decideMoney(state, request)
  const tokens = request.promptTokensBound + request.choices * money.outputLimit
  const rates = decideRates(state, request, tokens)
  const balances = balancesOf(state.balanceNano, state.funds, request.nowMs)
  const shown = { rates: rates.viewUntouched, balances }
  if (rates.shortfall !== null) {
    const { reason, limit, waitMs } = rates.shortfall
    const retryAfterMs = Math.min(Math.max(waitMs, retryAfterMinMs), retryAfterMaxMs)
    return refuse(reason, { ...shown, limit, retryAfterMs })
  }
  const crowded = findCrowding(state, request)
  if (crowded !== null)
    return refuse(crowded.reason, { ...shown, limit: crowded.limit, retryAfterMs: concurrencyRetryMs })
  if (money.shortfall !== null) {
    const { reason, availableNano } = money.shortfall
    return refuse(reason, { ...shown, neededNano: money.holdNano, availableNano })
  }
  const period = currentKeyPeriod(state, request.nowMs)
  return {
    admitted: true,
    holdNano: money.holdNano,
    parts: money.parts,
    outputLimit: money.outputLimit,
    tokensTaken: tokens,
    ...rates.after,
    keyPeriodStartMs: period.startMs,
    keySpentNano: period.spentNano,
    keySpentDiemNano: period.spentDiemNano,
    rates: rates.viewAfter,
    balances,
  }
}

/** A revoked key stays revoked whatever the clock says. */
function isKeyValid(state: AdmissionState, nowMs: number): boolean {
  const { revokedAtMs, expiresAtMs } = state.key
  return revokedAtMs === null && (expiresAtMs === null || nowMs < expiresAtMs)
}

function findCrowding(
  state: AdmissionState,
  request: AdmissionRequest,
): { readonly reason: 'concurrency_account' | 'concurrency_key'; readonly limit: Limit } | null {
  const { accountConcurrency } = request
  if (accountConcurrency !== 'unlimited' && state.openHolds >= accountConcurrency)
    return { reason: 'concurrency_account', limit: accountConcurrency }
  const { concurrency, openHolds } = state.key
  if (concurrency !== null && openHolds >= concurrency) return { reason: 'concurrency_key', limit: concurrency }
  return null
}

const nothingShort = { neededNano: 0n, availableNano: 0n, limit: 'unlimited', retryAfterMs: 0 } as const

function refuse(
  reason: Refusal['reason'],
  facts: Pick<Refusal, 'rates' | 'balances'> & Partial<Omit<Refusal, 'admitted' | 'reason' | 'rates' | 'balances'>>,
): Refusal {
  return { admitted: false, reason, ...nothingShort, ...facts }
}
