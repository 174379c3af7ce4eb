import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { noFees } from '../../src/core/price.ts'
import { StoreUnavailable } from '../../src/core/store-error.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { buildRequest, buildSettlement, random, usd } from '../conformance/builders.ts'
import { addCustomer } from '../conformance/open-test-storage.ts'
import { atEnd } from '../support/at-end.ts'
import { quickestMs } from '../support/lapse.ts'
import { createDatabase, describePostgres, query, type TestDatabase } from '../support/postgres/index.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { openReplicaStore, type ReplicaStore, shortLeaseMs } from './replica-store.ts'

const overMs = 2 * shortLeaseMs

let database: TestDatabase
let proxy: TcpProxy
/** The gateway that is cut off, through a network of its own, and one that is not. */
let gone: ReplicaStore
let other: ReplicaStore

/** A customer with ten dollars whose key may have one request at a time. */
async function addNarrowCustomer(): Promise<ApiKey> {
  return (await addCustomer(other.storage, { balanceNano: 10n * usd, key: { concurrency: 1 } })).key
}

function requestOf(key: ApiKey, { processId }: ReplicaStore, change: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const nowMs = systemClock.now()
  return buildRequest(key, { processId, nowMs, deadlineMs: nowMs + 600_000, ...change })
}

async function admitOn(replica: ReplicaStore, key: ApiKey): Promise<AdmissionRequest> {
  const request = requestOf(key, replica)
  expect(await replica.storage.admission.admit(request)).toMatchObject({ admitted: true })
  return request
}

const stateOf = async ({ holdId }: AdmissionRequest) => (await other.storage.ledger.holdFacts(holdId))?.state

async function cutOff(): Promise<void> {
  await proxy.refuse()
  proxy.cut()
}

async function expectExact(): Promise<void> {
  expect(await other.storage.ledger.verify()).toMatchObject({ ok: true, problems: [] })
}

describePostgres('leases', () => {
  beforeAll(async () => {
    database = await createDatabase()
  })
  beforeEach(async () => {
    proxy = await startTcpProxy(database)
    gone = await openReplicaStore(proxy.through(database.url))
    other = await openReplicaStore(database.url)
    // Closing waits for a store that does not answer.
    atEnd(() => proxy.heal())
  })

  it('what a dead gateway left open is resolved at the last mark by any other, and its share is free again', async () => {
    const [marked, unmarked] = [await addNarrowCustomer(), await addNarrowCustomer()]
    const [charged, released] = [await admitOn(gone, marked), await admitOn(gone, unmarked)]
    const mark = { chargeNano: usd / 2n, promptTokens: 10, completionTokens: 5, fees: noFees, atMs: systemClock.now() }
    await gone.storage.ledger.mark({ holdId: charged.holdId, ...mark })
    await cutOff()
    await other.recover()
    expect([await stateOf(charged), await stateOf(released)]).toEqual(['open', 'open'])
    expect(await other.storage.admission.admit(requestOf(marked, other))).toMatchObject({ reason: 'concurrency_key' })
    await sleep(overMs)
    await other.recover()
    expect(await other.storage.ledger.holdFacts(charged.holdId)).toMatchObject({
      state: 'swept',
      settledNano: usd / 2n,
    })
    expect((await other.storage.ledger.balance(unmarked.accountId)).balanceNano).toBe(10n * usd)
    expect(other.logger.lines.at(-1)).toMatchObject({ event: 'ledger.recovered', fields: { charged: 1, released: 1 } })
    for (const key of [marked, unmarked]) await admitOn(other, key)
    await expectExact()
  })

  it('one that lives keeps what it has, however long it takes', async () => {
    const request = await admitOn(gone, await addNarrowCustomer())
    await sleep(overMs)
    await other.recover()
    expect(await stateOf(request)).toBe('open')
    const settled = await gone.storage.ledger.settle(buildSettlement(request, usd))
    expect(settled.effect).toBe('settled')
  })

  it('one that was only cut off admits nothing until it has a lease again, and books the difference once', async () => {
    const key = (await addCustomer(other.storage, { balanceNano: 10n * usd })).key
    const request = await admitOn(gone, key)
    await cutOff()
    await expect(gone.storage.admission.admit(requestOf(key, gone))).rejects.toThrow(StoreUnavailable)
    await sleep(overMs)
    await other.recover()
    const settled = gone.storage.ledger.settle(buildSettlement(request, usd))
    const refusedMs = await quickestMs(() =>
      expect(gone.storage.admission.admit(requestOf(key, gone))).rejects.toThrow(StoreUnavailable),
    )
    expect(refusedMs).toBeLessThan(100)
    await proxy.heal()
    expect(await settled).toMatchObject({ effect: 'adjusted', chargedNano: usd })
    expect(gone.logger.events('warn')).toContain('store.lease_lost')
    await waitFor('admissions', () => gone.storage.admission.admit(requestOf(key, gone)).catch(() => null))
    const again = await gone.storage.ledger.settle(buildSettlement(request, 2n * usd))
    expect(again).toMatchObject({ effect: 'already', chargedNano: usd })
    expect((await other.storage.ledger.balance(key.accountId)).balanceNano).toBe(9n * usd)
    await expectExact()
  })

  it('one whose machine slept admits nothing until it has its lease again', async () => {
    let jumpMs = 0
    const sleeper = await openReplicaStore(database.url, { jumpMs: () => jumpMs })
    const { key } = await addCustomer(other.storage, { balanceNano: 10n * usd })
    await admitOn(sleeper, key)
    jumpMs = shortLeaseMs
    await expect(sleeper.storage.admission.admit(requestOf(key, sleeper))).rejects.toThrow(StoreUnavailable)
    await waitFor('its lease', () => sleeper.logger.events().includes('store.lease_lost'))
    await admitOn(sleeper, key)
  })

  it('one whose clock is another than the database has says so, and keeps its lease', async () => {
    const early = await openReplicaStore(database.url, { jumpMs: () => -30_000 })
    expect(early.logger.events()).toContain('store.clock_differs')
    expect(gone.logger.events()).not.toContain('store.clock_differs')
    const { key } = await addCustomer(other.storage, { balanceNano: 10n * usd })
    await admitOn(early, key)
  })

  it('one that ends in order gives its lease back: nobody waits for it to be over', async () => {
    const request = await admitOn(gone, await addNarrowCustomer())
    await gone.close()
    await other.recover()
    expect(await stateOf(request)).not.toBe('open')
  })

  it('two that resolve at the same time resolve each hold once', async () => {
    const third = await openReplicaStore(database.url)
    const { key } = await addCustomer(other.storage, { balanceNano: 1_000n * usd })
    const requests = Array.from({ length: 300 }, () => requestOf(key, gone))
    await Promise.all(requests.map(request => gone.storage.admission.admit(request)))
    await cutOff()
    await sleep(overMs)
    await Promise.all([other.recover(), third.recover()])
    await other.recover()
    expect(await other.storage.ledger.balance(key.accountId)).toMatchObject({ balanceNano: 1_000n * usd, heldNano: 0n })
    await expectExact()
  })

  it('a start resolves what is over before it is ready', async () => {
    const request = await admitOn(gone, await addNarrowCustomer())
    await cutOff()
    await sleep(overMs)
    await (await openReplicaStore(database.url)).recover()
    expect(await stateOf(request)).not.toBe('open')
  })

  it('keys of a dead gateway are free when nothing was charged, and taken when something was', async () => {
    const { key } = await addCustomer(other.storage, { balanceNano: 100n * usd })
    const claims = await Promise.all([claimOn(gone, key), claimOn(gone, key), claimOn(gone, key)])
    const [charged, released] = claims
    for (const { request } of claims.slice(0, 2)) await gone.storage.admission.admit(request)
    const mark = { chargeNano: usd, promptTokens: 1, completionTokens: 1, fees: noFees, atMs: systemClock.now() }
    await gone.storage.ledger.mark({ holdId: charged?.request.holdId ?? '', ...mark })
    await cutOff()
    await sleep(overMs)
    await other.recover()
    const states = await Promise.all(claims.map(async ({ again }) => (await again()).state))
    expect(states).toEqual(['done', 'new', 'new'])
    expect(released?.request.holdId).not.toBe('')
  })
})

describePostgres('what came through although its answer was lost', () => {
  beforeAll(async () => {
    database = await createDatabase()
  })
  beforeEach(async () => {
    proxy = await startTcpProxy(database)
    gone = await openReplicaStore(proxy.through(database.url))
    other = await openReplicaStore(database.url)
    // Closing waits for a store that does not answer.
    atEnd(() => proxy.heal())
  })

  describe('is let go by the gateway that asked', () => {
    it('holds, and none of those that it runs', async () => {
      const { key } = await addCustomer(other.storage, { balanceNano: 10n * usd })
      const running = await admitOn(gone, key)
      const lost = requestOf(key, gone)
      proxy.dropBefore('toClient', 'answers')
      await expect(gone.storage.admission.admit(lost)).rejects.toThrow(StoreUnavailable)
      expect(await stateOf(lost)).toBe('open')
      await waitFor('it to be let go', async () => {
        await gone.recover().catch(() => undefined)
        return (await stateOf(lost)) !== 'open'
      })
      expect(await stateOf(running)).toBe('open')
      expect((await other.storage.ledger.balance(key.accountId)).heldNano).toBe(usd)
      await expectExact()
    })

    it('idempotency keys, and none of those whose requests run', async () => {
      const { key } = await addCustomer(other.storage, { balanceNano: 10n * usd })
      const running = await claimOn(gone, key)
      proxy.dropBefore('toClient', 'COMMIT')
      const lost = await claimOn(gone, key).catch((error: unknown) => error)
      expect(lost).toBeInstanceOf(StoreUnavailable)
      await waitFor('it to be let go', async () => {
        await gone.recover().catch(() => undefined)
        const [row] = await runningKeys()
        return row?.count === 1
      })
      expect((await running.again()).state).toBe('running')
    })
  })
})

interface Claimed {
  readonly request: AdmissionRequest
  /** Claims the same key for another run, on the gateway that lives. */
  again(): Promise<{ readonly state: string }>
}

async function claimOn(replica: ReplicaStore, key: ApiKey): Promise<Claimed> {
  const request = requestOf(key, replica)
  const { accountId, requestId, holdId, processId, nowMs } = request
  const fingerprint = createHash('sha256').update('body').digest()
  const scope = { accountId, route: '/v1/chat/completions', key: `key-${random.hex(8)}`, fingerprint, keysMax: 100 }
  await replica.storage.idempotency.claim({ ...scope, requestId, holdId, processId, nowMs })
  const { storage, processId: otherId } = other
  const second = { requestId: 'req_2', holdId: `hold_${random.hex(12)}`, processId: otherId, nowMs }
  return { request, again: () => storage.idempotency.claim({ ...scope, ...second }) }
}

function runningKeys() {
  return query<{ count: number }>(
    database.url,
    "SELECT count(*)::int AS count FROM idempotency_keys WHERE state = 'running'",
  )
}
