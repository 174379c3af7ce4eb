import type { AdmissionRequest, AdmissionState } from '../../src/domain/admission/types.ts'

/** A Sunday, so that day, week and month begin at different times. */
export const admissionTestNow = Date.UTC(2026, 10, 29, 12)

type StateChange = Partial<Omit<AdmissionState, 'key'>> & { readonly key?: Partial<AdmissionState['key']> }

/** A soft account with one dollar, a key without limits, nothing running, nothing used. */
export function admissionState(change: StateChange = {}): AdmissionState {
  return {
    mode: 'soft',
    balanceNano: 1_000_000_000n,
    heldNano: 0n,
    openHolds: 0,
    funds: null,
    modelRequests: null,
    modelTokens: null,
    modelDay: null,
    ...change,
    key: {
      revokedAtMs: null,
      expiresAtMs: null,
      limitNano: null,
      limitDiemNano: null,
      period: 'lifetime',
      periodStartMs: 0,
      spentNano: 0n,
      spentDiemNano: 0n,
      heldNano: 0n,
      heldDiemNano: 0n,
      openHolds: 0,
      concurrency: null,
      rates: { requestsPerMinute: 'unlimited', tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' },
      requests: null,
      tokens: null,
      day: null,
      ...change.key,
    },
  }
}

/** 100 prompt tokens for 0.0001 dollars and up to 1,000 output tokens at a dollar per million: a hold of 0.0011 dollars. */
export function admissionRequest(change: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    holdId: 'hold_1',
    requestId: 'req_1',
    generationId: 'chatcmpl-1',
    accountId: 'acc_1',
    keyId: 'key_1',
    model: 'example/model',
    surface: 'v1',
    stream: false,
    fixedNano: 100_000n,
    outputNanoPerMillion: 1_000_000_000n,
    choices: 1,
    outputLimit: 1_000,
    outputLimitMayShrink: false,
    promptTokensBound: 100,
    free: false,
    priceVersion: 'price-1',
    overdraftNano: 500_000_000n,
    spendsAllCurrencies: false,
    modelRates: { requestsPerMinute: 60, tokensPerMinute: 100_000, requestsPerDay: 'unlimited' },
    accountConcurrency: 50,
    errorBudget: null,
    processId: 'proc_1',
    nowMs: admissionTestNow,
    deadlineMs: admissionTestNow + 600_000,
    ...change,
  }
}
