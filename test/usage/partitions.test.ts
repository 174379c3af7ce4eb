import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { StoreUnavailable } from '../../src/core/store-error.ts'
import { nowMs, usd } from '../conformance/builders.ts'
import { addCustomer, openPostgres } from '../conformance/open-test-storage.ts'
import { question, useOnce } from '../conformance/usage-suite.ts'
import { withConnection } from '../support/postgres/database.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'

const dayMs = 86_400_000
const today = Math.floor(nowMs / dayMs)

async function openStore() {
  const { url } = await createDatabase()
  const storage = await openPostgres(url, 'command')
  onTestFinished(() => storage.close())
  const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
  const newestIds = async () => {
    const { records } = await storage.usage.list(question({ accountId: account.id }))
    return records.map(({ requestId }) => requestId)
  }
  return { url, storage, account, key, newestIds }
}

/** How many records each partition holds, by the days since today; `other` is the default partition. */
async function countByPartition(url: string): Promise<Readonly<Record<string, number>>> {
  const names = await query<{ name: string }>(
    url,
    `select relname as name from pg_inherits join pg_class on oid = inhrelid
     where inhparent = 'usage_records'::regclass order by length(relname), relname`,
  )
  const counts = await Promise.all(
    names.map(async ({ name }) => {
      const [row] = await query<{ count: number }>(url, `select count(*)::integer as count from ${name}`)
      const day = name.split('_day_')[1]
      return [day === undefined ? 'other' : String(Number(day) - today), row?.count ?? -1] as const
    }),
  )
  return Object.fromEntries(counts)
}

const emptyWeek = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [String(index - 1), 0]))

describePostgres('partitions of usage records', () => {
  it('are made from yesterday to a week ahead, once, however many gateways make them', async () => {
    const { url, storage } = await openStore()
    const others = await Promise.all([1, 2, 3].map(() => openPostgres(url, 'command')))
    for (const other of others) onTestFinished(() => other.close())
    await Promise.all([storage, ...others].map(({ usage }) => usage.prepareDays(nowMs)))
    await storage.usage.prepareDays(nowMs)
    expect(await countByPartition(url)).toEqual({ other: 0, ...emptyWeek })
  })

  it('take the records of their day, and those that came before they were there', async () => {
    const { url, storage, key, newestIds } = await openStore()
    const early = await useOnce(storage, key)
    const old = await useOnce(storage, key, { atMs: nowMs - 40 * dayMs })
    await storage.usage.prepareDays(nowMs)
    expect(await countByPartition(url)).toEqual({ other: 1, ...emptyWeek, 0: 1 })
    const late = await useOnce(storage, key)
    const tomorrow = await useOnce(storage, key, { atMs: nowMs + dayMs })
    expect(await countByPartition(url)).toEqual({ other: 1, ...emptyWeek, 0: 2, 1: 1 })
    expect(new Set(await newestIds())).toEqual(new Set([tomorrow, late, early, old].map(use => use.requestId)))
    expect((await storage.ledger.verify()).problems).toEqual([])
  })

  it('are made for the days that are, after a gateway was off for a month', async () => {
    const { url, storage, key } = await openStore()
    await storage.usage.prepareDays(nowMs)
    await useOnce(storage, key, { atMs: nowMs + 20 * dayMs })
    await storage.usage.prepareDays(nowMs + 30 * dayMs)
    const counts = await countByPartition(url)
    expect(counts).toMatchObject({ other: 1, 0: 0, 30: 0, 37: 0 })
    expect(counts).not.toHaveProperty('20')
  })

  it('stay away from a day of which too much was written before', async () => {
    const { url, storage, key } = await openStore()
    await useOnce(storage, key)
    await query(
      url,
      `insert into usage_records (hold_seq, day, hold_id, generation_id, account_no, model, outcome, held_nano, cost_nano,
         writeoff_nano, balance_before_nano, cost_delivered, created_at_ms, lines, details, status, prompt_tokens,
         completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens)
       select hold_seq + i, day, hold_id || i, generation_id || i, account_no, model, outcome, held_nano, 0, 0, 0, 0,
         created_at_ms, '[]', details, 200, 0, 0, 0, 0, 0 from usage_records, generate_series(1, 50000) i`,
    )
    await storage.usage.prepareDays(nowMs)
    const counts = await countByPartition(url)
    expect(counts).toMatchObject({ other: 50_001, 1: 0 })
    expect(counts).not.toHaveProperty('0')
  })

  it('are dropped as a whole when their day is old, rows without one are deleted, and the books stay right', async () => {
    const { url, storage, key, newestIds } = await openStore()
    await storage.usage.prepareDays(nowMs - 5 * dayMs)
    await storage.usage.prepareDays(nowMs)
    for (const daysAgo of [40, 39, 6, 5, 5, 5, 0]) await useOnce(storage, key, { atMs: nowMs - daysAgo * dayMs })
    const removed: number[] = []
    for (let count = -1; count !== 0; removed.push(count)) count = await storage.usage.prune(nowMs - dayMs, 1)
    expect(removed).toEqual([1, 3, 1, 1, 0])
    expect(await newestIds()).toHaveLength(1)
    expect(await countByPartition(url)).toEqual({ other: 0, ...emptyWeek, 0: 1 })
    expect(await query(url, 'select records::integer, cost_nano::integer from pruned_usage')).toEqual([
      { records: 6, cost_nano: 30 },
    ])
    const { ok, problems, usageRecords } = await storage.ledger.verify()
    expect({ ok, problems, usageRecords }).toEqual({ ok: true, problems: [], usageRecords: 1 })
  })

  it('are dropped once when gateways prune at the same time', async () => {
    const { url, storage, key } = await openStore()
    const others = await Promise.all([1, 2, 3].map(() => openPostgres(url, 'command')))
    for (const other of others) onTestFinished(() => other.close())
    await storage.usage.prepareDays(nowMs - 5 * dayMs)
    for (const daysAgo of [40, 40, 39, 38, 5, 5, 4, 3]) await useOnce(storage, key, { atMs: nowMs - daysAgo * dayMs })
    const pruneAll = async ({ usage }: typeof storage) => {
      for (let rounds = 0; rounds < 12; rounds++) await usage.prune(nowMs, 1)
    }
    await Promise.all([storage, ...others].map(pruneAll))
    expect(await query(url, 'select records::integer from pruned_usage')).toEqual([{ records: 8 }])
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
})

/** What each of the calls, one after the other, is rejected with. */
async function inTurn(calls: readonly (() => Promise<unknown>)[]): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  for (const call of calls) await call().catch((error: unknown) => errors.push(error))
  return errors
}

describePostgres('changing partitions beside a long reader', () => {
  it('gives up soon, changes nothing, and holds up no settlement', async () => {
    const { url, storage, key } = await openStore()
    await storage.usage.prepareDays(nowMs - 5 * dayMs)
    await useOnce(storage, key, { atMs: nowMs - 5 * dayMs })
    await withConnection(url, async reader => {
      await reader.query('begin')
      await reader.query('select count(*) from usage_records')
      const changed = inTurn([() => storage.usage.prune(nowMs, 1), () => storage.usage.prepareDays(nowMs)])
      for (let count = 0; count < 5; count++) {
        const startedMs = performance.now()
        await useOnce(storage, key)
        expect(performance.now() - startedMs).toBeLessThan(3_000)
        await pause(50)
      }
      expect(await changed).toEqual([expect.any(StoreUnavailable), expect.any(StoreUnavailable)])
      expect((await countByPartition(url))['-5']).toBe(1)
      await reader.query('commit')
    })
    expect(await storage.usage.prune(nowMs, 1)).toBe(1)
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
})
