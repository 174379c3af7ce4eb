import { describe, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { newOrderedCompletionId, newOrderedId } from '../../src/core/ids.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import type { UsageQuery, UsageRecord } from '../../src/domain/usage/types.ts'
import { buildKey, buildRequest, buildSettlement, hashOf, nowMs, random, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'
import { usageSummarySuite } from './usage-summary-suite.ts'

const day = 86_400_000

export function usageSuite(open: OpenStorage): void {
  describe('usage: records as they are read', () => recordsSuite(open))
  describe('usage: what nothing is named', () => namelessSuite(open))
  describe('usage: pages of records', () => pagesSuite(open))
  describe('usage: sums of records', () => usageSummarySuite(open))
  describe('usage: records that are removed', () => pruneSuite(open))
}

/** Everything, unless the test says otherwise. */
export function question(change: Partial<UsageQuery> = {}): UsageQuery {
  const anything = { accountId: null, keyId: null, model: null, outcome: null, status: null, fromMs: null, toMs: null }
  return { ...anything, limit: 100, cursor: null, ...change }
}

export interface Use {
  /** When it was admitted, and what its record says. */
  readonly atMs?: number
  readonly model?: string
  readonly costNano?: bigint
  readonly record?: Partial<UsageRecord>
}

/** A request from its admission to its settlement. */
export async function useOnce(storage: Storage, key: ApiKey, use: Use = {}) {
  const { atMs = nowMs, model = 'venym/qwen-27b', costNano = 5n, record = {} } = use
  const request = buildRequest(key, { model, nowMs: atMs, deadlineMs: atMs + 60_000 })
  expect(await storage.admission.admit(request)).toMatchObject({ admitted: true })
  await storage.ledger.settle(buildSettlement(request, costNano, { record }))
  return request
}

/** A caller may write any text into an address, also one that a database cannot hold. */
function namelessSuite(open: OpenStorage): void {
  it.each(['', '\0', 'a\0b', "';--", '\ud800', '\u{10FFFF}', 'x'.repeat(500)])('is found nowhere: %j', async text => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: usd })
    await useOnce(storage, key)
    expect(await storage.usage.findByGeneration(text, account.id)).toBeNull()
    for (const named of [{ model: text }, { accountId: text }, { keyId: text }]) {
      expect((await storage.usage.list(question(named))).records).toEqual([])
      const sums = { ...question(named), fromDay: 0, toDay: 50_000, by: ['day'] as const }
      expect((await storage.usage.summarise(sums)).groups).toEqual([])
    }
    expect(await storage.identity.findAccount(text)).toBeNull()
    expect(await storage.ledger.holdFacts(text)).toBeNull()
  })
}

function recordsSuite(open: OpenStorage): void {
  it("answers another account's id as an unknown one, and finds any id for the operator", async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
    const other = await addCustomer(storage)
    const { generationId } = await useOnce(storage, key)
    expect(await storage.usage.findByGeneration(generationId, account.id)).toMatchObject({ generationId })
    expect(await storage.usage.findByGeneration(generationId, null)).toMatchObject({ generationId })
    expect(await storage.usage.findByGeneration(generationId, other.account.id)).toBeNull()
    expect(await storage.usage.findByGeneration('chatcmpl-none', account.id)).toBeNull()
  })

  it('finds records whose ids tell another time, or none', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
    for (const [generationId, holdId] of [
      [newOrderedCompletionId(random, nowMs), newOrderedId('hold', random, nowMs)],
      ['chatcmpl-of-another-version', `hold_${random.hex(4)}`],
    ] as const) {
      const request = buildRequest(key, { generationId, holdId, nowMs: nowMs - 20 * day })
      await storage.admission.admit(request)
      await storage.ledger.settle(buildSettlement(request, 5n))
      expect(await storage.usage.findByGeneration(generationId, account.id)).toMatchObject({ generationId })
      expect(await storage.ledger.holdFacts(holdId)).toMatchObject({ settledNano: 5n })
      expect(await storage.ledger.settle(buildSettlement(request, 9n))).toMatchObject({ effect: 'already' })
    }
  })

  it('explain a charge that was booked on the day after its request, or much later', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const requestIds: string[] = []
    for (const days of [0, 1, 30]) {
      const request = buildRequest(key, { nowMs: nowMs - days * day, deadlineMs: nowMs + day })
      await storage.admission.admit(request)
      await storage.ledger.settle(buildSettlement(request, 5n, { atMs: nowMs + days }))
      requestIds.push(request.requestId)
    }
    const range = { fromMs: 0, toMs: nowMs + day, limit: 100 }
    const { lines } = await storage.ledger.statement(account.id, range)
    expect(lines.filter(({ code }) => code === 'usage').map(({ requestId }) => requestId)).toEqual(requestIds)
  })
}

function pagesSuite(open: OpenStorage): void {
  async function readAll(storage: Storage, query: Partial<UsageQuery>) {
    const pages: string[][] = []
    const cursors = new Set<string>()
    for (let cursor: string | null = null; ; ) {
      const page = await storage.usage.list(question({ ...query, cursor }))
      pages.push(page.records.map(record => record.requestId))
      cursor = page.nextCursor
      if (cursor === null) return pages
      expect(cursors).not.toContain(cursor)
      cursors.add(cursor)
    }
  }

  it('go from the newest to the oldest, each record once', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const used: string[] = []
    for (let count = 0; count < 7; count++) used.push((await useOnce(storage, key)).requestId)
    const pages = await readAll(storage, { accountId: account.id, limit: 3 })
    expect(pages.map(page => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(used.toReversed())
  })

  it.each([1, 2, 3, 5, 100])('of %i records go on over days with many, few and no records', async limit => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const used: string[] = []
    for (const [daysAgo, count] of Object.entries({ 40: 1, 39: 4, 9: 1, 8: 1, 7: 1, 1: 6, 0: 3 }).reverse())
      for (let done = 0; done < count; done++)
        used.push((await useOnce(storage, key, { atMs: nowMs - Number(daysAgo) * day })).requestId)
    const pages = await readAll(storage, { accountId: account.id, limit })
    expect(pages.flat()).toHaveLength(used.length)
    expect(new Set(pages.flat())).toEqual(new Set(used))
    expect(pages.slice(0, -1).every(page => page.length === limit)).toBe(true)
  })

  it('hold what agrees with every filter', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const other = buildKey(account.id)
    await storage.identity.createKey(other, hashOf(other))
    const failed = { outcome: 'upstream_fail', status: 502 } as const
    const uses = {
      a: await useOnce(storage, key, { model: 'model-a' }),
      b: await useOnce(storage, key, { model: 'model-b', record: failed, atMs: nowMs - 2 * day }),
      c: await useOnce(storage, other, { model: 'model-b' }),
      d: await useOnce(storage, other, { model: 'model-b', record: { outcome: 'deadline' }, atMs: nowMs - 5 * day }),
    }
    const matching = async (query: Partial<UsageQuery>) => {
      const { records } = await storage.usage.list(question({ accountId: account.id, ...query }))
      return Object.entries(uses).filter(([, use]) => records.some(record => record.requestId === use.requestId))
    }
    const names = async (query: Partial<UsageQuery>) => (await matching(query)).map(([name]) => name).join('')
    expect(await names({})).toBe('abcd')
    expect(await names({ model: 'model-b' })).toBe('bcd')
    expect(await names({ keyId: key.id })).toBe('ab')
    expect(await names({ keyId: other.id, accountId: null })).toBe('cd')
    expect(await names({ outcome: 'deadline' })).toBe('d')
    expect(await names({ status: 502 })).toBe('b')
    expect(await names({ status: 200, keyId: key.id })).toBe('a')
    expect(await names({ model: 'model-b', keyId: other.id, outcome: 'done' })).toBe('c')
    expect(await names({ model: 'model-a', outcome: 'deadline' })).toBe('')
    expect(await names({ model: 'model-none' })).toBe('')
    expect(await names({ accountId: 'acc_none' })).toBe('')
    expect(await names({ keyId: 'key_none' })).toBe('')
  })

  it('hold what lies between two moments, the first one included', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const times = [nowMs - 40 * day, nowMs - day, nowMs - 1, nowMs, nowMs + 1]
    for (const atMs of times) await useOnce(storage, key, { atMs })
    const between = async (fromMs: number | null, toMs: number | null) => {
      const { records } = await storage.usage.list(question({ accountId: account.id, fromMs, toMs }))
      return records.map(({ createdAtMs }) => createdAtMs - nowMs)
    }
    expect(await between(nowMs, null)).toEqual([1, 0])
    expect(await between(nowMs - day, nowMs)).toEqual([-1, -day])
    expect(await between(null, nowMs - day)).toEqual([-40 * day])
    expect(await between(nowMs + 2, null)).toEqual([])
    expect(await between(nowMs, nowMs)).toEqual([])
  })

  it('find a record by its own time, also when it was admitted on the next day', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const midnight = Math.ceil(nowMs / day) * day
    await useOnce(storage, key, { atMs: midnight + 5, record: { createdAtMs: midnight - 5 } })
    const between = async (fromMs: number, toMs: number) =>
      (await storage.usage.list(question({ accountId: account.id, fromMs, toMs }))).records.length
    expect(await between(midnight - 10, midnight)).toBe(1)
    expect(await between(midnight, midnight + 10)).toBe(0)
  })

  it('are at most 1,000 records long, and refuse a cursor that no page gave out', async () => {
    const storage = await open()
    const { records } = await storage.usage.list(question({ limit: 5_000 }))
    expect(records.length).toBeLessThanOrEqual(1_000)
    for (const cursor of ['1 or 1=1', '4711', '-1-2-3', '1-2-99999999999999999', ''])
      await expect(storage.usage.list(question({ cursor }))).rejects.toThrow(RangeError)
    await expect(storage.usage.list(question({ fromMs: Number.NaN }))).rejects.toThrow(RangeError)
  })
}

function pruneSuite(open: OpenStorage): void {
  it('are those of days that ended, whose debits and sums stay', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const old = await useOnce(storage, key, { atMs: nowMs - 3 * day })
    const kept = await useOnce(storage, key)
    const find = ({ generationId }: typeof kept) => storage.usage.findByGeneration(generationId, account.id)
    const pruneAll = async (beforeMs: number) => {
      while ((await storage.usage.prune(beforeMs, 50)) > 0);
    }
    await pruneAll(nowMs - 3 * day)
    expect(await find(old)).not.toBeNull()
    await pruneAll(nowMs)
    expect([await find(old), await find(kept)]).toEqual([null, expect.anything()])
    expect((await storage.ledger.verify()).problems).toEqual([])
    await pruneAll(nowMs + day)
    expect(await find(kept)).toBeNull()
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(100n * usd - 10n)
    expect((await storage.identity.keySpending(key.id, nowMs)).usageTotalNano).toBe(10n)
    expect((await storage.ledger.verify()).problems).toEqual([])
    await storage.usage.prepareDays(nowMs)
    await useOnce(storage, key)
    expect((await storage.usage.list(question({ accountId: account.id }))).records).toHaveLength(1)
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
}
