import type { Storage } from '../../src/adapters/storage/storage.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import type { Settlement } from '../../src/domain/ledger/types.ts'
import { buildRequest, buildSettlement } from '../conformance/builders.ts'
import { openLocation } from '../conformance/open-store.ts'

/** A process with a store of its own, that does what its parent says and tells what came of it: `racer.ts URL`. */
export type Order =
  | { readonly do: 'admit'; readonly key: ApiKey; readonly count: number; readonly change: Partial<AdmissionRequest> }
  | { readonly do: 'settle'; readonly settlements: readonly Settlement[] }
  | { readonly do: 'book'; readonly keys: readonly ApiKey[]; readonly rounds: number; readonly parallel: number }

export type Told = readonly string[]

const storage = await openLocation(process.argv[2] ?? '', 'command')

/** A decision's reason, or `admitted`; a settlement's effect; or what went wrong. */
async function carryOut(order: Order): Promise<Told> {
  switch (order.do) {
    case 'admit':
      return await Promise.all(
        Array.from({ length: order.count }, () => tellAdmission(buildRequest(order.key, order.change))),
      )
    case 'settle':
      return (await Promise.all(order.settlements.map(one => storage.ledger.settle(one)))).map(({ effect }) => effect)
    case 'book':
      return await book(storage, order)
  }
}

async function tellAdmission(request: AdmissionRequest): Promise<string> {
  const decision = await storage.admission.admit(request)
  return decision.admitted ? 'admitted' : decision.reason
}

/** Rounds of requests of customers in random order, admissions and settlements of different rounds side by side. */
async function book({ admission, ledger }: Storage, order: Extract<Order, { readonly do: 'book' }>): Promise<Told> {
  const tellOne = async (): Promise<string> => {
    const key = order.keys[Math.floor(Math.random() * order.keys.length)]
    if (key === undefined) throw new Error('somebody must pay')
    const request = buildRequest(key, { fixedNano: 1_000n })
    if (!(await admission.admit(request)).admitted) return 'refused'
    return (await ledger.settle(buildSettlement(request, BigInt(Math.floor(Math.random() * 1_000))))).effect
  }
  const runOne = async () => {
    const told: string[] = []
    for (let round = 0; round < order.rounds; round++) told.push(await tellOne().catch((error: Error) => error.message))
    return told
  }
  return (await Promise.all(Array.from({ length: order.parallel }, runOne))).flat()
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    told => process.send?.(told),
    (error: Error) => process.send?.([error.message]),
  )
})
process.on('disconnect', () => void storage.close())
process.send?.([])
