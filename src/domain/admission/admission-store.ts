import type { AdmissionDecision, AdmissionRequest } from './types.ts'

/**
 * Port: one atomic decision over balance, key limit, rates and concurrency, which places the hold and changes every
 * counter, or changes nothing (money.md §2). It resolves after the hold is durable.
 * Rejects with `StoreUnavailable` when the store cannot answer: the caller is then refused, never admitted.
 */
export interface AdmissionStore {
  admit(request: AdmissionRequest): Promise<AdmissionDecision>
}
