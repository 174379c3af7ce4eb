import type { Admission, AdmissionDecision, Refusal, RefusalReason } from '../../../../domain/admission/types.ts'
import type { BucketState, Limit, RateView } from '../../../../domain/limits/types.ts'

/*
 * Threads copy a flat list of values five times faster than the same values in nested objects, and admissions are what
 * they say most. So a decision travels as a tuple.
 */

type BucketWire = [level: number | null, atMs: number | null]

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
  ...modelRequests: BucketWire,
  ...modelTokens: BucketWire,
  ...keyRequests: BucketWire,
  ...keyTokens: BucketWire,
  ...rates: RatesWire,
]

type RefusalWire = [
  admitted: false,
  reason: RefusalReason,
  neededNano: bigint,
  availableNano: bigint,
  limit: Limit,
  retryAfterMs: number,
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
  const { holdNano, outputLimit, tokensTaken, keyPeriodStartMs, keySpentNano } = admission
  const { modelRequests, modelTokens, keyRequests, keyTokens, rates } = admission
  return [
    true,
    holdNano,
    outputLimit,
    tokensTaken,
    keyPeriodStartMs,
    keySpentNano,
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
    modelRequests: bucketOf(wire[6], wire[7]),
    modelTokens: bucketOf(wire[8], wire[9]),
    keyRequests: bucketOf(wire[10], wire[11]),
    keyTokens: bucketOf(wire[12], wire[13]),
    rates: ratesOf([wire[14], wire[15], wire[16], wire[17], wire[18], wire[19]]),
  }
}

function encodeRefusal({ reason, neededNano, availableNano, limit, retryAfterMs, rates }: Refusal): RefusalWire {
  const head = [false, reason, neededNano, availableNano, limit, retryAfterMs] as const
  if (rates === null) return [...head]
  const { limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs } = rates
  return [...head, limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs]
}

function decodeRefusal(wire: RefusalWire): Refusal {
  const [, reason, neededNano, availableNano, limit, retryAfterMs, ...rates] = wire
  return {
    admitted: false,
    reason,
    neededNano,
    availableNano,
    limit,
    retryAfterMs,
    rates: rates.length === 0 ? null : ratesOf(rates),
  }
}

function bucketOf(level: number | null, atMs: number | null): BucketState | null {
  return level === null || atMs === null ? null : { level, atMs }
}

function ratesOf(wire: RatesWire): RateView {
  const [limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs] = wire
  return { limitRequests, remainingRequests, resetRequestsMs, limitTokens, remainingTokens, resetTokensMs }
}
