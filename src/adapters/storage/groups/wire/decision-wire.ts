import type { Admission, AdmissionDecision, Refusal, RefusalReason } from '../../../../domain/admission/types.ts'
import type { BucketState, DayCount, Limit, RateView } from '../../../../domain/limits/types.ts'
import {
  type BalancesWire,
  decodeBalances,
  decodeParts,
  encodeBalances,
  encodeParts,
  type PartsWire,
} from './parts-wire.ts'

/*
 * Threads copy a flat list of values five times faster than the same values in nested objects, and admissions are what
 * they say most. So a decision travels as a tuple.
 */

type BucketWire = [level: number | null, atMs: number | null]
type DayWire = [day: number | null, requests: number | null]

type RatesWire = [
  limitRequests: Limit,
  remainingRequests: number,
  resetRequestsMs: number,
  limitTokens: Limit,
  remainingTokens: number,
  resetTokensMs: number,
]

type AdmissionWire = [
  admitted: true,
  holdNano: bigint,
  outputLimit: number,
  tokensTaken: number,
  keyPeriodStartMs: number,
  keySpentNano: bigint,
  keySpentDiemNano: bigint,
  parts: PartsWire | null,
  ...balances: BalancesWire,
  ...modelRequests: BucketWire,
  ...modelTokens: BucketWire,
  ...keyRequests: BucketWire,
  ...keyTokens: BucketWire,
  ...rates: RatesWire,
  ...modelDay: DayWire,
  ...keyDay: DayWire,
]

type RefusalWire = [
  admitted: false,
  reason: RefusalReason,
  neededNano: bigint,
  availableNano: bigint,
  limit: Limit,
  retryAfterMs: number,
  ...balances: BalancesWire | [null, null],
  ...rates: RatesWire | [],
]

export type DecisionWire = AdmissionWire | RefusalWire

export function encodeDecision(decision: AdmissionDecision): DecisionWire {
  return decision.admitted ? encodeAdmission(decision) : encodeRefusal(decision)
}

export function decodeDecision(wire: DecisionWire): AdmissionDecision {
  return wire[0] ? decodeAdmission(wire) : decodeRefusal(wire)
}

function encodeAdmission(admission: Admission): AdmissionWire {
  const { holdNano, outputLimit, tokensTaken, keyPeriodStartMs, keySpentNano, keySpentDiemNano } = admission
  const { parts, balances, modelRequests, modelTokens, modelDay, keyRequests, keyTokens, keyDay, rates } = admission
  return [
    true,
    holdNano,
    outputLimit,
    tokensTaken,
    keyPeriodStartMs,
    keySpentNano,
    keySpentDiemNano,
    encodeParts(parts),
    ...encodeBalances(balances),
    modelRequests?.level ?? null,
    modelRequests?.atMs ?? null,
    modelTokens?.level ?? null,
    modelTokens?.atMs ?? null,
    keyRequests?.level ?? null,
    keyRequests?.atMs ?? null,
    keyTokens?.level ?? null,
    keyTokens?.atMs ?? null,
    rates.limitRequests,
    rates.remainingRequests,
    rates.resetRequestsMs,
    rates.limitTokens,
    rates.remainingTokens,
    rates.resetTokensMs,
    modelDay?.day ?? null,
    modelDay?.requests ?? null,
    keyDay?.day ?? null,
    keyDay?.requests ?? null,
  ]
}

function decodeAdmission(wire: AdmissionWire): Admission {
  return {
    admitted: true,
    holdNano: wire[1],
    outputLimit: wire[2],
    tokensTaken: wire[3],
    keyPeriodStartMs: wire[4],
    keySpentNano: wire[5],
    keySpentDiemNano: wire[6],
    parts: decodeParts(wire[7]),
    balances: decodeBalances([wire[8], wire[9]]),
    modelRequests: bucketOf(wire[10], wire[11]),
    modelTokens: bucketOf(wire[12], wire[13]),
    keyRequests: bucketOf(wire[14], wire[15]),
    keyTokens: bucketOf(wire[16], wire[17]),
    modelDay: dayOf(wire[24], wire[25]),
    keyDay: dayOf(wire[26], wire[27]),
    rates: ratesOf([wire[18], wire[19], wire[20], wire[21], wire[22], wire[23]]),
  }
}

function encodeRefusal(refusal: Refusal): RefusalWire {
  const { reason, neededNano, availableNano, limit, retryAfterMs, rates, balances } = refusal
  const shown = balances === null ? ([null, null] as const) : encodeBalances(balances)
  const head = [false, reason, neededNano, availableNano, limit, retryAfterMs, ...shown] as const
  if (rates === null) return [...head]
  const { limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs } = rates
  return [...head, limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs]
}

function decodeRefusal(wire: RefusalWire): Refusal {
  const [, reason, neededNano, availableNano, limit, retryAfterMs, usdNano, others, ...rates] = wire
  return {
    admitted: false,
    reason,
    neededNano,
    availableNano,
    limit,
    retryAfterMs,
    rates: rates.length === 0 ? null : ratesOf(rates),
    balances: usdNano === null ? null : decodeBalances([usdNano, others]),
  }
}

function bucketOf(level: number | null, atMs: number | null): BucketState | null {
  return level === null || atMs === null ? null : { level, atMs }
}

function dayOf(day: number | null, requests: number | null): DayCount | null {
  return day === null || requests === null ? null : { day, requests }
}

function ratesOf(wire: RatesWire): RateView {
  const [limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs] = wire
  return { limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs }
}
