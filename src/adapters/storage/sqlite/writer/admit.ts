import type { AdmissionDecision, AdmissionRequest, AdmissionState } from '../../../../domain/admission/types.ts'
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
  const account = unit.accounts.find(request.accountId)
  const key = unit.keys.find(request.keyId)
  if (account === null || key === null || key.accountNo !== account.no) return unknownKey
  const modelBucket = unit.buckets.ofModel(account.no, request.model)
  const keyBucket = unit.buckets.ofKey(key.no)
  const decision = decide(stateOf({ account, key, modelBucket, keyBucket }), request)
  if (!decision.admitted) return decision

  account.heldNano += decision.holdNano
  account.openHolds += 1
  unit.accounts.markChanged(account)
  key.periodStartMs = decision.keyPeriodStartMs
  key.spentNano = decision.keySpentNano
  key.heldNano += decision.holdNano
  key.openHolds += 1
  unit.keys.markChanged(key)
  takeRates(unit, modelBucket, { requests: decision.modelRequests, tokens: decision.modelTokens })
  takeRates(unit, keyBucket, { requests: decision.keyRequests, tokens: decision.keyTokens })
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
    modelRequests: modelBucket.requests,
    modelTokens: modelBucket.tokens,
    key: {
      revokedAtMs: key.revokedAtMs,
      expiresAtMs: key.expiresAtMs,
      limitNano: key.limitNano,
      period: key.period,
      periodStartMs: key.periodStartMs,
      spentNano: key.spentNano,
      heldNano: key.heldNano,
      openHolds: key.openHolds,
      concurrency: key.concurrency,
      rates: key.rates,
      requests: keyBucket.requests,
      tokens: keyBucket.tokens,
    },
  }
}

/** An unlimited rate has no bucket; what stood in it from a time with a limit is not kept. */
function takeRates(unit: LedgerUnit, bucket: BucketRow, after: Pick<BucketRow, 'requests' | 'tokens'>): void {
  if (bucket.requests === null && bucket.tokens === null && after.requests === null && after.tokens === null) return
  bucket.requests = after.requests
  bucket.tokens = after.tokens
  unit.buckets.markChanged(bucket)
}
