import { describe, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const day = 86_400_000

export function usageSuite(open: OpenStorage): void {
  async function useOnce(
    storage: Storage,
    key: Parameters<typeof buildRequest>[0],
    change: Parameters<typeof buildRequest>[1] & { readonly outcome?: 'done' | 'deadline' } = {},
  ) {
    const { outcome = 'done', ...request } = change
    const admitted = buildRequest(key, request)
    await storage.admission.admit(admitted)
    await storage.ledger.settle(buildSettlement(admitted, 5n, { record: { outcome } }))
    return admitted
  }

  describe('usage: records as they are read', () => {
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

    it('pages from the newest to the oldest, each record once', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
      const used: string[] = []
      for (let count = 0; count < 7; count++) used.push((await useOnce(storage, key)).requestId)
      const seen: string[] = []
      const pages: number[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof storage.usage.list>> = await storage.usage.list({
          ...{ accountId: account.id, model: null, outcome: null, limit: 3, cursor },
        })
        seen.push(...page.records.map(record => record.requestId))
        pages.push(page.records.length)
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(seen).toEqual(used.reverse())
      expect(pages).toEqual([3, 3, 1])
    })

    it('filters by account, model and outcome', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
      await useOnce(storage, key, { model: 'a' })
      await useOnce(storage, key, { model: 'b', outcome: 'deadline' })
      await useOnce(storage, key, { model: 'b' })
      const count = async (model: string | null, outcome: 'done' | 'deadline' | null) =>
        (await storage.usage.list({ accountId: account.id, model, outcome, limit: 9, cursor: null })).records.length
      expect(await count(null, null)).toBe(3)
      expect(await count('b', null)).toBe(2)
      expect(await count('b', 'deadline')).toBe(1)
      expect(await count('a', 'deadline')).toBe(0)
      const all = await storage.usage.list({ accountId: null, model: null, outcome: null, limit: 2, cursor: null })
      expect(all.records).toHaveLength(2)
    })

    it('refuses a cursor that no page gave out', async () => {
      const storage = await open()
      const query = { accountId: null, model: null, outcome: null, limit: 2 }
      await expect(storage.usage.list({ ...query, cursor: '1 or 1=1' })).rejects.toThrow(RangeError)
    })

    it('removes old records and keeps their debits explained', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
      const kept = await useOnce(storage, key)
      while ((await storage.usage.prune(nowMs - day, 50)) > 0);
      expect(await storage.usage.findByGeneration(kept.generationId, account.id)).not.toBeNull()
      while ((await storage.usage.prune(nowMs + 1, 50)) > 0);
      expect(await storage.usage.findByGeneration(kept.generationId, account.id)).toBeNull()
      expect((await storage.ledger.balance(account.id)).balanceNano).toBe(100n * usd - 5n)
      expect((await storage.ledger.verify()).problems).toEqual([])
      await useOnce(storage, key)
      expect((await storage.ledger.verify()).problems).toEqual([])
    })
  })
}
