import { expect } from 'vitest'
import type { Storage } from '../../../src/adapters/storage/storage.ts'
import { buildRequest, usd } from '../builders.ts'
import { addCustomer } from '../open-test-storage.ts'

/** A customer with 10 USD and one admitted request that holds one. */
export async function admitOne(storage: Storage, change: Parameters<typeof buildRequest>[1] = {}) {
  const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
  const request = buildRequest(key, change)
  const decision = await storage.admission.admit(request)
  expect(decision.admitted).toBe(true)
  return { account, key, request }
}
