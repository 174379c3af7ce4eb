import { type Amount, chargePerMillion, minAmount } from '../../core/money.ts'
import { periodStart } from './limit-period.ts'
import type { AdmissionRequest, AdmissionState, RefusalReason } from './types.ts'

/** A lowered output limit of fewer tokens than this would not be an answer: such a request is refused instead. */
const shrunkOutputTokensMin = 16
const tokensPerPrice = 1_000_000n

export interface MoneyDecision {
  readonly holdNano: Amount
  /** The limit that the hold pays for: as asked, or lowered to fit. */
  readonly outputLimit: number
  readonly shortfall: MoneyShortfall | null
}

interface MoneyShortfall {
  readonly reason: Extract<RefusalReason, 'insufficient_balance' | 'key_limit_exceeded'>
  readonly availableNano: Amount
}

interface Purse extends MoneyShortfall {
  /** The largest hold that this purse admits; null when it admits none at all. */
  readonly holdNanoMax: Amount | null
}

/** What a key has spent since its current period began, and when that was. A clock that went back starts no new period. */
export interface KeyPeriod {
  readonly startMs: number
  readonly spentNano: Amount
}

export function currentKeyPeriod(state: AdmissionState, nowMs: number): KeyPeriod {
  const { period, periodStartMs, spentNano } = state.key
  const startMs = periodStart(period, nowMs)
  return startMs > periodStartMs ? { startMs, spentNano: 0n } : { startMs: periodStartMs, spentNano }
}

/** Whether the balance and the key's spending limit pay for the request's upper bound (money.md §3). */
export function decideMoney(state: AdmissionState, request: AdmissionRequest): MoneyDecision {
  if (request.free) return { holdNano: 0n, outputLimit: request.outputLimit, shortfall: null }
  const purses = pursesOf(state, request)
  const outputLimit = request.outputLimitMayShrink ? shrinkToFit(purses, request) : request.outputLimit
  const holdNano = holdFor(request, outputLimit)
  const short = purses.find(purse => purse.holdNanoMax === null || holdNano > purse.holdNanoMax)
  return { holdNano, outputLimit, shortfall: short ?? null }
}

function pursesOf(state: AdmissionState, request: AdmissionRequest): readonly Purse[] {
  const overdraftNano = state.mode === 'soft' ? request.overdraftNano : 0n
  const purse = (reason: MoneyShortfall['reason'], availableNano: Amount): Purse => ({
    reason,
    availableNano,
    holdNanoMax: state.mode === 'soft' && availableNano <= 0n ? null : availableNano + overdraftNano,
  })
  const balance = purse('insufficient_balance', state.balanceNano - state.heldNano)
  const { limitNano, heldNano } = state.key
  if (limitNano === null) return [balance]
  const { spentNano } = currentKeyPeriod(state, request.nowMs)
  return [balance, purse('key_limit_exceeded', limitNano - spentNano - heldNano)]
}

/** The asked limit where it fits, else the largest that fits; the asked one again when too little of it would remain. */
function shrinkToFit(purses: readonly Purse[], request: AdmissionRequest): number {
  const { outputLimit, outputNanoPerMillion, fixedNano } = request
  if (outputNanoPerMillion === 0n) return outputLimit
  let budgetNano = holdFor(request, outputLimit)
  for (const { holdNanoMax } of purses) budgetNano = minAmount(budgetNano, holdNanoMax ?? 0n)
  const affordable = ((budgetNano - fixedNano) * tokensPerPrice) / (BigInt(request.choices) * outputNanoPerMillion)
  if (affordable >= BigInt(outputLimit)) return outputLimit
  return affordable >= BigInt(shrunkOutputTokensMin) ? Number(affordable) : outputLimit
}

function holdFor(request: AdmissionRequest, outputLimit: number): Amount {
  return request.fixedNano + chargePerMillion(request.choices * outputLimit, request.outputNanoPerMillion)
}
