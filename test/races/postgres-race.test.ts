import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { buildRequest, buildSettlement, usd } from '../conformance/builders.ts'
import { addCustomer, openPostgres } from '../conformance/open-test-storage.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'
import type { Told } from './racer.ts'
import { type Racer, startRacers } from './start-racers.ts'

/** Full race counts take minutes; the short ones catch a missing guard just as surely. */
const runs = process.env['RIALTO_TEST_LONG'] === '1' ? 200 : 5
const processes = 4
const requests = 1_000

describePostgres('four processes on one database', () => {
  let url: string
  let storage: Storage
  let racers: readonly Racer[]

  beforeAll(async () => {
    url = (await createDatabase()).url
    storage = await openPostgres(url)
    racers = await startRacers(url, processes)
  })
  afterAll(() => storage.close())

  /** The same number of requests from each process, all at once. */
  async function race(key: ApiKey, change: Partial<AdmissionRequest> = {}): Promise<Told> {
    const order = { do: 'admit', key, count: requests / processes, change } as const
    return (await Promise.all(racers.map(racer => racer.carryOut(order)))).flat()
  }

  const countOf = (told: Told, what: string) => told.filter(one => one === what).length

  it.each([0, 1, 7, 100])('admit exactly %i of 1,000 requests that there is money for', async affordable => {
    for (let run = 0; run < runs; run++) {
      const { account, key } = await addCustomer(storage, { balanceNano: BigInt(affordable + 1) * usd - 1n })
      const told = await race(key)
      expect([told.length, countOf(told, 'admitted')]).toEqual([requests, affordable])
      expect(countOf(told, 'insufficient_balance')).toBe(requests - affordable)
      expect((await storage.ledger.balance(account.id)).heldNano).toBe(BigInt(affordable) * usd)
    }
  })

  it('never take a soft account further than its last hold below zero', async () => {
    for (let run = 0; run < runs; run++) {
      const { account, key } = await addCustomer(storage, { balanceNano: 7n * usd + 1n, account: { mode: 'soft' } })
      const told = await race(key, { fixedNano: usd, overdraftNano: usd })
      expect(countOf(told, 'admitted')).toBe(8)
      expect(await storage.ledger.balance(account.id)).toMatchObject({ heldNano: 8n * usd })
    }
  })

  const unlimited = 'unlimited' as const
  it.each([
    ['key_limit_exceeded', 7, { limitNano: 8n * usd - 1n }, {}],
    [
      'rate_limit_requests',
      6,
      {},
      { modelRates: { requestsPerMinute: 6, tokensPerMinute: unlimited, requestsPerDay: 'unlimited' } },
    ],
    ['rate_limit_requests', 5, { requestsPerMinute: 5 }, {}],
    [
      'rate_limit_daily',
      8,
      {},
      { modelRates: { requestsPerMinute: unlimited, tokensPerMinute: unlimited, requestsPerDay: 8 } },
    ],
    ['rate_limit_daily', 7, { requestsPerDay: 7 }, {}],
    [
      'rate_limit_tokens',
      4,
      {},
      { modelRates: { requestsPerMinute: unlimited, tokensPerMinute: 4 * 150 + 149, requestsPerDay: 'unlimited' } },
    ],
    ['concurrency_account', 9, {}, { accountConcurrency: 9 }],
    ['concurrency_key', 3, { concurrency: 3 }, {}],
  ] as const)('keep %s to exactly %i', async (reason, most, limits, change) => {
    for (let run = 0; run < runs; run++) {
      const { key } = await addCustomer(storage, { balanceNano: 10_000n * usd, key: limits })
      const told = await race(key, change)
      expect([countOf(told, 'admitted'), countOf(told, reason)]).toEqual([most, requests - most])
    }
  })

  it('settle a hold once, whichever of them comes first', async () => {
    const { account, key } = await addCustomer(storage, { balanceNano: 1_000n * usd })
    const open = Array.from({ length: 200 }, () => buildRequest(key))
    await Promise.all(open.map(request => storage.admission.admit(request)))
    const settlements = (nano: bigint) => shuffled(open.map(request => buildSettlement(request, nano)))
    const told = await Promise.all(
      racers.map((racer, index) => racer.carryOut({ do: 'settle', settlements: settlements(BigInt(index + 1)) })),
    )
    expect([countOf(told.flat(), 'settled'), countOf(told.flat(), 'already')]).toEqual([200, 600])
    const { balanceNano, heldNano } = await storage.ledger.balance(account.id)
    expect(heldNano).toBe(0n)
    const won = told.map((one, index) => BigInt(countOf(one, 'settled')) * BigInt(index + 1))
    expect(balanceNano).toBe(1_000n * usd - won.reduce((sum, nano) => sum + nano, 0n))
  })

  it('never wait for each other in a circle, in whatever order they book for whom', async () => {
    const customers = await Promise.all(
      Array.from({ length: 20 }, () => addCustomer(storage, { balanceNano: 100n * usd })),
    )
    const order = { do: 'book', keys: customers.map(({ key }) => key), rounds: 25, parallel: 24 } as const
    const told = (await Promise.all(racers.map(racer => racer.carryOut(order)))).flat()
    expect(countOf(told, 'settled')).toBe(processes * order.rounds * order.parallel)
    const text = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    expect(await query(url, text)).toEqual([{ deadlocks: 0 }])
  })

  it('leave books that agree', async () => {
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
})

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map(value => ({ value, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}
