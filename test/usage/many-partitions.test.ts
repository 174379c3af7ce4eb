import { expect, it, onTestFinished } from 'vitest'
import { buildSettlement, nowMs, usd } from '../conformance/builders.ts'
import { addCustomer, openPostgres } from '../conformance/open-test-storage.ts'
import { question, useOnce } from '../conformance/usage-suite.ts'
import { describePostgres, startPostgres } from '../support/postgres/index.ts'

const dayMs = 86_400_000
const daysPerCall = 9
const days = 25 * daysPerCall

/**
 * Each partition with its eight indexes takes nine locks of a statement that may need it, and a server has 6,400 for all
 * transactions together: two reports over a year would use them up, and settlements fail. Here are a tenth of them.
 */
const fewLocks = { max_locks_per_transaction: 10, max_connections: 40 }

describePostgres(`${days} partitions on a server with few locks`, () => {
  it('hold up no look-up, page, statement, late settlement, verification or pruning', {
    timeout: 180_000,
  }, async () => {
    const { url } = await (await startPostgres(fewLocks)).createDatabase()
    const storage = await openPostgres(url, 'command')
    onTestFinished(() => storage.close())
    for (let daysAgo = 0; daysAgo < days; daysAgo += daysPerCall)
      await storage.usage.prepareDays(nowMs - daysAgo * dayMs)
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const used = []
    for (let daysAgo = 0; daysAgo < days; daysAgo += 5)
      used.push(await useOnce(storage, key, { atMs: nowMs - daysAgo * dayMs }))

    const first = used.at(-1)
    if (first === undefined) throw new Error('nothing was used')
    expect(await storage.usage.findByGeneration(first.generationId, account.id)).not.toBeNull()
    expect(await storage.usage.findByGeneration('chatcmpl-none', account.id)).toBeNull()
    expect(await storage.ledger.holdFacts(first.holdId)).toMatchObject({ settledNano: 5n })
    expect(await storage.ledger.settle(buildSettlement(first, 9n))).toMatchObject({ effect: 'already' })

    const ownPage = await storage.usage.list(question({ accountId: account.id, limit: 1_000 }))
    expect(ownPage.records.map(({ requestId }) => requestId)).toEqual(used.map(({ requestId }) => requestId))
    expect((await storage.usage.list(question({ status: 503 }))).records).toEqual([])
    const { lines } = await storage.ledger.statement(account.id, { fromMs: 0, toMs: nowMs + dayMs, limit: 1_000 })
    expect(lines.filter(({ requestId }) => requestId !== null)).toHaveLength(used.length)

    const [usedKey] = await storage.identity.listUsedKeys(account.id, { keyId: null, nowMs })
    expect(usedKey).toMatchObject({ lastUsedAtMs: nowMs })

    expect((await storage.ledger.verify()).problems).toEqual([])
    expect(await storage.usage.prune(nowMs, 1)).toBe(1)
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
})
