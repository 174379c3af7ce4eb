import { decideBudget } from '../../../../domain/admission/decide-budget.ts'
import type { AdmissionDecision, AdmissionRequest, AdmissionState } from '../../../../domain/admission/types.ts'
import { holdFunds } from './account-funds.ts'
import type { AccountRow } from './account-rows.ts'
import type { BucketRow } from './bucket-rows.ts'
import type { KeyRow } from './key-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'

export type DecideAdmission = (state: AdmissionState, request: AdmissionRequest) => AdmissionDecision

/**
 * Reads every condition, lets the pure decision speak, and makes all of an admission's changes or none (money.md §2).
 * @throws RangeError for quantities that are no safe integers; nothing is changed then.
 */
export function admit(unit: LedgerUnit, request: AdmissionRequest, decide: DecideAdmission): AdmissionDecision {
  const budgeted = decideBudget(unit.failures.find(request), request)
  if (budgeted === null) return admitWithin(unit, request, decide)
  return budgeted.refusal ?? { ...admitWithin(unit, request, decide), failures: budgeted.counts }
}

function admitWithin(unit: LedgerUnit, request: AdmissionRequest, decide: DecideAdmission): AdmissionDecision {
  const account = unit.accounts.find(request.accountId)
  const key = unit.keys.find(request.keyId)
  if (account === null || key === null || key.accountNo !== account.no) return unknownKey
  const modelBucket = unit.buckets.ofModel(account.no, request.model)
  const keyBucket = unit.buckets.ofKey(key.no)
  const decision = decide(stateOf({ account, key, modelBucket, keyBucket }), request)
  if (!decision.admitted) return decision

  const { parts } = decision
  holdFunds(account, decision)
  account.openHolds += 1
  unit.accounts.markChanged(account)
  key.periodStartMs = decision.keyPeriodStartMs
  key.spentNano = decision.keySpentNano
  key.spentDiemNano = decision.keySpentDiemNano
  key.heldNano += decision.holdNano - (parts?.diemNano ?? 0n)
  key.heldDiemNano += parts?.diemNano ?? 0n
  key.openHolds += 1
  unit.keys.markChanged(key)
  takeRates(unit, modelBucket, {
    requests: decision.modelRequests,
    tokens: decision.modelTokens,
    day: decision.modelDay,
  })
  takeRates(unit, keyBucket, {
    requests: decision.keyRequests,
    tokens: decision.keyTokens,
    day: decision.keyDay,
  })
  unit.holds.place({
    seq: unit.head.nextHoldSeq(),
    id: request.holdId,
    requestId: request.requestId,
    generationId: request.generationId,
    accountNo: account.no,
    accountId: request.accountId,
    keyNo: key.no,
    keyId: request.keyId,
    model: request.model,
    surface: request.surface,
    stream: request.stream,
    priceVersion: request.priceVersion,
    processId: request.processId,
    amountNano: decision.holdNano,
    parts,
    overdraftNano: account.mode === 'soft' ? request.overdraftNano : 0n,
    tokensTaken: decision.tokensTaken,
    tokensPerMinute: request.modelRates.tokensPerMinute,
    createdAtMs: request.nowMs,
    deadlineAtMs: request.deadlineMs,
    mark: null,
  })
  return decision
}

/** A key that is not there is answered as a revoked one. */
const unknownKey: AdmissionDecision = {
  admitted: false,
  reason: 'invalid_api_key',
  neededNano: 0n,
  availableNano: 0n,
  limit: 'unlimited',
  retryAfterMs: 0,
  rates: null,
  balances: null,
}

interface AdmissionRows {
  readonly account: AccountRow
  readonly key: KeyRow
  readonly modelBucket: BucketRow
  readonly keyBucket: BucketRow
}

function stateOf({ account, key, modelBucket, keyBucket }: AdmissionRows): AdmissionState {
  return {
    mode: account.mode,
    balanceNano: account.balanceNano,
    heldNano: account.heldNano,
    openHolds: account.openHolds,
    funds: account.funds,
    modelRequests: modelBucket.requests,
    modelTokens: modelBucket.tokens,
    modelDay: modelBucket.day,
    key: {
      revokedAtMs: key.revokedAtMs,
      expiresAtMs: key.expiresAtMs,
      limitNano: key.limitNano,
      limitDiemNano: key.limitDiemNano,
      period: key.period,
      periodStartMs: key.periodStartMs,
      spentNano: key.spentNano,
      spentDiemNano: key.spentDiemNano,
      heldNano: key.heldNano,
      heldDiemNano: key.heldDiemNano,
      openHolds: key.openHolds,
      concurrency: key.concurrency,
      rates: key.rates,
      requests: keyBucket.requests,
      tokens: keyBucket.tokens,
      day: keyBucket.day,
    },
  }
}

type BucketLevels = Pick<BucketRow, 'requests' | 'tokens' | 'day'>

/** An unlimited rate has no bucket; what stood in it from a time with a limit is not kept. */
function takeRates(unit: LedgerUnit, bucket: BucketRow, after: BucketLevels): void {
  if ([bucket, after].every(({ requests, tokens, day }) => requests === null && tokens === null && day === null)) return
  bucket.requests = after.requests
  bucket.tokens = after.tokens
  bucket.day = after.day
  unit.buckets.markChanged(bucket)
}
