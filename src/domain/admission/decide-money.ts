import { type CurrencyParts, payFrom, sumOfParts } from '../../core/currency.ts'
import { type Amount, chargePerMillion, maxAmount, minAmount } from '../../core/money.ts'
import { type CurrencyRoom, findCurrencyRoom } from './currency-room.ts'
import { periodStart } from './limit-period.ts'
import type { AdmissionRequest, AdmissionState, RefusalReason } from './types.ts'

/** A lowered output limit of fewer tokens than this would not be an answer: such a request is refused instead. */
const shrunkOutputTokensMin = 16
const tokensPerPrice = 1_000_000n

export interface MoneyDecision {
  readonly holdNano: Amount
  /** What of the hold is not dollars; null as well when the money is short. */
  readonly parts: CurrencyParts | null
  /** The limit that the hold pays for: as asked, or lowered to fit. */
  readonly outputLimit: number
  readonly shortfall: MoneyShortfall | null
}

interface MoneyShortfall {
  readonly reason: Extract<RefusalReason, 'insufficient_balance' | 'key_limit_exceeded' | 'key_diem_limit_exceeded'>
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
  readonly spentDiemNano: Amount
}

export function currentKeyPeriod(state: AdmissionState, nowMs: number): KeyPeriod {
  const { period, periodStartMs, spentNano, spentDiemNano } = state.key
  const startMs = periodStart(period, nowMs)
  return startMs > periodStartMs
    ? { startMs, spentNano: 0n, spentDiemNano: 0n }
    : { startMs: periodStartMs, spentNano, spentDiemNano }
}

/** Whether balances and the key's spending limits pay for the request's upper bound, and with what (money.md §3, §4). */
export function decideMoney(state: AdmissionState, request: AdmissionRequest): MoneyDecision {
  if (request.free) return { holdNano: 0n, parts: null, outputLimit: request.outputLimit, shortfall: null }
  const period = currentKeyPeriod(state, request.nowMs)
  const room = findCurrencyRoom(state, request, period.spentDiemNano)
  const purses = [...pursesOf(state, request, { room, period }), ...diemPurses(room)]
  const outputLimit = request.outputLimitMayShrink ? shrinkToFit(purses, request) : request.outputLimit
  const holdNano = holdFor(request, outputLimit)
  const short = purses.find(purse => purse.holdNanoMax === null || holdNano > purse.holdNanoMax)
  return short === undefined
    ? { holdNano, parts: payFrom(room.parts, holdNano), outputLimit, shortfall: null }
    : { holdNano, parts: null, outputLimit, shortfall: short }
}

function diemPurses({ diemEndNano }: CurrencyRoom): readonly Purse[] {
  if (diemEndNano === null) return []
  return [{ reason: 'key_diem_limit_exceeded', availableNano: diemEndNano, holdNanoMax: diemEndNano }]
}

/**
 * Dollars are the last currency, so the overdraft is theirs. A limit in dollars counts everything but DIEM. What is paid
 * before dollars is there also when those are below zero.
 */
function pursesOf(
  state: AdmissionState,
  { overdraftNano }: AdmissionRequest,
  { room, period }: { readonly room: CurrencyRoom; readonly period: KeyPeriod },
): readonly Purse[] {
  const beforeNano = sumOfParts(room.parts)
  const balance = {
    reason: 'insufficient_balance',
    ...roomOf(state.balanceNano - state.heldNano + beforeNano, beforeNano),
  } as const
  const { limitNano, heldNano } = state.key
  if (limitNano === null) return [balance]
  const diemNano = room.parts?.diemNano ?? 0n
  const left = roomOf(limitNano - period.spentNano - heldNano, 0n)
  const holdNanoMax = diemNano > 0n ? diemNano + maxAmount(left.holdNanoMax ?? 0n, 0n) : left.holdNanoMax
  return [balance, { reason: 'key_limit_exceeded', ...left, holdNanoMax }]

  function roomOf(availableNano: Amount, atLeastNano: Amount): Pick<Purse, 'availableNano' | 'holdNanoMax'> {
    const soft = state.mode === 'soft'
    const holdNanoMax = soft && availableNano <= 0n ? null : availableNano + (soft ? overdraftNano : 0n)
    return {
      availableNano,
      holdNanoMax: atLeastNano > 0n ? maxAmount(holdNanoMax ?? 0n, atLeastNano) : holdNanoMax,
    }
  }
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
