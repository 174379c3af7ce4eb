import type { Storage } from '../../../src/adapters/storage/storage.ts'
import { buildRequest, buildSettlement, nowMs, usd } from '../../conformance/builders.ts'
import { addCustomer } from '../../conformance/open-test-storage.ts'

/** Requests that are under way at a time: enough for full groups, few enough to wait in the store's queue. */
const requestsAtOnce = 2_000

export interface Filling {
  readonly accounts: number
  /** Requests that were admitted and settled, one record each; every tenth of them cost nothing. */
  readonly records: number
  /** Over so many days the requests are spread, the last of them today; default 1. */
  readonly days?: number
}

const dayMs = 86_400_000

/** Writes what so many requests leave in a store, by the store's own hand. */
export async function fillStore(storage: Storage, { accounts, records, days = 1 }: Filling): Promise<void> {
  const customers: Awaited<ReturnType<typeof addCustomer>>[] = []
  for (let made = 0; made < accounts; made++) {
    customers.push(await addCustomer(storage, { balanceNano: 1_000_000n * usd, account: { mode: 'soft' } }))
  }
  for (let done = 0; done < records; done += requestsAtOnce) {
    const requests = Array.from({ length: Math.min(requestsAtOnce, records - done) }, (_, index) => {
      const customer = customers[(done + index) % accounts]
      if (customer === undefined) throw new RangeError('there must be an account')
      const daysAgo = days - 1 - Math.floor(((done + index) / records) * days)
      return buildRequest(customer.key, { fixedNano: 1_000_000n, nowMs: nowMs - daysAgo * dayMs })
    })
    await Promise.all(requests.map(request => storage.admission.admit(request)))
    const chargeOf = (index: number) => (index % 10 === 0 ? 0n : 123_456n)
    await Promise.all(
      requests.map((request, index) => storage.ledger.settle(buildSettlement(request, chargeOf(index)))),
    )
  }
}
