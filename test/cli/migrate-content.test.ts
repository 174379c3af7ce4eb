import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { noFees } from '../../src/core/price.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { buildRequest, buildSettlement, nowMs, random, usd } from '../conformance/builders.ts'
import { makeFolder } from '../conformance/make-folder.ts'
import { addCustomer, openPostgres, openSqlite } from '../conformance/open-test-storage.ts'
import {
  atPort,
  createDatabase,
  describePgBouncer,
  describePostgres,
  query,
  startPgBouncer,
} from '../support/postgres/index.ts'
import { fillStore } from './move/fill-store.ts'
import { move } from './move/move-in-process.ts'
import { expectSameContent } from './move/stored-content.ts'

const dayMs = 86_400_000
const rates = { requestsPerMinute: 100, tokensPerMinute: 100_000, requestsPerDay: 'unlimited' } as const

async function admit(storage: Storage, key: ApiKey, change: Partial<AdmissionRequest> = {}): Promise<AdmissionRequest> {
  const request = buildRequest(key, change)
  expect(await storage.admission.admit(request)).toMatchObject({ admitted: true })
  return request
}

async function claim(
  storage: Storage,
  request: AdmissionRequest,
  key: string,
  atMs = systemClock.now(),
): Promise<void> {
  const { accountId, holdId, requestId, processId } = request
  const owner = { requestId, processId, nowMs: atMs, keysMax: 100, fingerprint: random.bytes(32) }
  expect(await storage.idempotency.claim({ ...scopeOf(key, accountId), holdId, ...owner })).toEqual({ state: 'new' })
}

async function answer(storage: Storage, { accountId, holdId }: AdmissionRequest, key: string): Promise<void> {
  const body = Buffer.concat([Buffer.from('bytes of every kind, \0 too'), random.bytes(256)])
  const recorded = { status: 200, contentType: 'application/json', body }
  await storage.idempotency.complete({ ...scopeOf(key, accountId), holdId }, recorded, systemClock.now() + dayMs)
}

function scopeOf(key: string, accountId: string) {
  return { accountId, route: 'chat', key }
}

async function settleNow(storage: Storage, request: AdmissionRequest): Promise<void> {
  await storage.ledger.settle(buildSettlement(request, usd / 3n))
}

/** Rows of every table, and whatever can still change after the first pass has copied it. */
async function lead(storage: Storage) {
  const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: { requestsPerMinute: 60 } })
  for (const daysAgo of [30, 20, 1])
    await settleNow(storage, await admit(storage, key, { nowMs: nowMs - daysAgo * dayMs }))
  await storage.usage.prune(nowMs - 25 * dayMs, 100)
  await fillStore(storage, { accounts: 3, records: 300 })
  await storage.ledger.rememberPrices([
    {
      version: 'price_1',
      inputNanoPerMillion: 1n,
      outputNanoPerMillion: 2n,
      cacheReadNanoPerMillion: 3n,
      cacheWriteNanoPerMillion: 4n,
      searchNano: 5n,
      pageNano: 5n,
    },
  ])
  await storage.refusals.add([{ accountId: key.accountId, keyId: key.id, model: 'm', rate: 'requests', atMs: nowMs }])
  await storage.failures.count({
    bucket: { owner: key.id, model: 'm', user: 'u' },
    kind: 'failed',
    windowMs: 30_000,
    nowMs,
  })
  await storage.identity.writeSetting('operator_token_hash', 'ab'.repeat(32))
  await storage.documents.write('configuration', Buffer.from('a shared document'), 0)
  const swept = await admit(storage, key, { deadlineMs: nowMs })
  await storage.ledger.mark({
    holdId: swept.holdId,
    chargeNano: 5n,
    promptTokens: 1,
    completionTokens: 1,
    fees: noFees,
    atMs: nowMs,
  })
  expect(await storage.ledger.sweep(nowMs + 1_000, 0)).toEqual({ charged: 1, released: 0 })
  const [running, crashed] = [await admit(storage, key, { modelRates: rates }), await admit(storage, key)]
  await storage.ledger.mark({
    holdId: crashed.holdId,
    chargeNano: 7n,
    promptTokens: 1,
    completionTokens: 2,
    fees: noFees,
    atMs: nowMs,
  })
  await claim(storage, crashed, 'of the crash')
  await claim(storage, running, 'running')
  await claim(storage, swept, 'to expire')
  await answer(storage, swept, 'to expire')
  return { key, swept, running, crashed }
}

/** What goes on in a gateway between the first pass and its end. */
async function goOn(storage: Storage, { key, swept, running }: Awaited<ReturnType<typeof lead>>): Promise<void> {
  await settleNow(storage, running)
  await answer(storage, running, 'running')
  expect(await storage.ledger.settle(buildSettlement(swept, usd / 2n))).toMatchObject({ effect: 'adjusted' })
  expect(await storage.usage.prune(nowMs - 15 * dayMs, 100)).toBe(1)
  const next = await admit(storage, key, { deadlineMs: nowMs + dayMs })
  await claim(storage, next, 'to expire', systemClock.now() + 2 * dayMs)
  await answer(storage, next, 'to expire')
  await settleNow(storage, next)
  await fillStore(storage, { accounts: 1, records: 50 })
}

describePostgres('what a move carries over', () => {
  it('is every row of every table, also when the gateway went on after the first pass', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const { url } = await createDatabase()
    const storage = await openSqlite(path)
    const state = await lead(storage)
    const report = await move({
      path,
      url,
      async whenAsked() {
        await goOn(storage, state)
        await storage.close()
      },
    })
    expect(report).toMatchObject({ accounts: 5, apiKeys: 5, holdsOpen: 1, idempotencyKeys: 3, usageRecords: 354 })
    await expectSameContent(path, url)
  })

  it('lets the new store go on with the numbers, the chain and the open holds of the old one', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const { url } = await createDatabase()
    const storage = await openSqlite(path)
    const { crashed } = await lead(storage)
    await storage.close()
    await move({ path, url })
    const moved = await openPostgres(url)
    await moved.ledger.recover('proc_new', nowMs)
    expect(await moved.ledger.holdFacts(crashed.holdId)).toMatchObject({ state: 'swept', settledNano: 7n })
    const { key } = await addCustomer(moved, { balanceNano: 10n * usd })
    await settleNow(moved, await admit(moved, key))
    expect(await moved.ledger.verify()).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
    await moved.close()
    const numbers = await query<{ seq: string; day: number }>(
      url,
      'select hold_seq as seq, day from usage_records order by hold_seq desc limit 1',
    )
    expect(numbers).toEqual([{ seq: '307', day: Math.floor(nowMs / dayMs) }])
  })

  it('lies in partitions of its days, which retention drops', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const { url } = await createDatabase()
    const storage = await openSqlite(path)
    await lead(storage)
    await storage.close()
    await move({ path, url })
    expect(await query(url, 'select 1 from usage_records_other')).toEqual([])
    const moved = await openPostgres(url, 'command')
    expect(await moved.usage.prune(nowMs - 15 * dayMs, 1)).toBe(1)
    expect(await moved.ledger.verify()).toMatchObject({ ok: true, problems: [] })
    await moved.close()
  })
})

describePgBouncer('a pooler in transaction mode', () => {
  it('may stand between the command and the database', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const database = await createDatabase()
    const storage = await openSqlite(path)
    await fillStore(storage, { accounts: 2, records: 100 })
    await storage.close()
    const pooler = await startPgBouncer({ server: database })
    expect(await move({ path, url: atPort(database.url, pooler.port) })).toMatchObject({ usageRecords: 100 })
  })
})

const millionMs = 3_000_000

if (process.env['RIALTO_TEST_LONG'] === '1')
  describePostgres('a million requests of a month', () => {
    it(
      'are moved beside a gateway that goes on, which stops for what came since',
      async context => {
        const path = join(makeFolder(), 'rialto.db')
        const { url } = await createDatabase()
        const storage = await openSqlite(path)
        await fillStore(storage, { accounts: 50, records: 1_000_000, days: 30 })
        const { seconds, downtimeSeconds, usageRecords } = await move({
          path,
          url,
          async whenAsked() {
            await fillStore(storage, { accounts: 1, records: 500 })
            await storage.close()
          },
        })
        expect(usageRecords).toBe(1_000_500)
        const moved = await openPostgres(url, 'command')
        expect(await moved.ledger.verify()).toMatchObject({ ok: true, problems: [], usageRecords })
        await moved.close()
        await context.annotate(`moved in ${seconds} s, of which ${downtimeSeconds} s without a gateway`)
        expect(downtimeSeconds).toBeLessThan(seconds / 5)
      },
      millionMs,
    )
  })
