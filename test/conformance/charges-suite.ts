import { describe, expect, it } from 'vitest'
import type { BookedCharge, ChargePlace } from '../../src/domain/ledger/types.ts'
import { buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

/** Of these requests alone: other tests' charges are not held against it. Ten tokens of output cost 100 nano-dollars. */
const prices = {
  version: 'price_of_charges',
  inputNanoPerMillion: 1n,
  outputNanoPerMillion: 10_000_000n,
  cacheReadNanoPerMillion: 3n,
  cacheWriteNanoPerMillion: 4n,
  searchNano: 5n,
  pageNano: 5n,
}

export function chargesSuite(open: OpenStorage): void {
  describe('ledger: charges', () => {
    it('gives a charge with its request and the prices of its time', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
      await storage.ledger.rememberPrices([prices])
      const request = buildRequest(key, { priceVersion: prices.version })
      await storage.admission.admit(request)
      await storage.ledger.settle(buildSettlement(request, 100n, { atMs: nowMs + 5 }))
      const { record } = buildSettlement(request, 100n)
      const query = { fromMs: nowMs + 5, toMs: nowMs + 6, currency: null, after: null, limit: 10 }
      expect(await storage.ledger.charges(account.id, query)).toEqual([
        {
          place: { atMs: nowMs + 5, seq: expect.any(Number) },
          currency: 'usd',
          amountNano: -100n,
          request: {
            requestId: record.requestId,
            generationId: record.generationId,
            keyId: key.id,
            model: record.model,
            usage: record.usage,
            totalMs: record.totalMs,
            lines: [{ kind: 'output', quantity: 10, amountNano: 100n }],
            isShared: false,
            prices,
          },
        },
      ])
      expect(await storage.ledger.charges(account.id, { ...query, toMs: nowMs + 5 })).toEqual([])
      expect(await storage.ledger.charges(account.id, { ...query, fromMs: nowMs + 6, toMs: nowMs + 7 })).toEqual([])
      expect(await storage.ledger.charges('acc_none', query)).toEqual([])
    })

    it('walks from the oldest to the newest, none left out and none twice, also within a millisecond', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
      const times = [5, 1, 3, 3, 3, 3, 2, 4]
      for (const [index, time] of times.entries()) {
        const request = buildRequest(key, { fixedNano: 100n })
        await storage.admission.admit(request)
        await storage.ledger.settle(buildSettlement(request, BigInt(index + 1), { atMs: nowMs + time }))
      }
      const seen: BookedCharge[] = []
      for (let after: ChargePlace | null = null; ; after = seen.at(-1)?.place ?? null) {
        const page = await storage.ledger.charges(account.id, {
          fromMs: 0,
          toMs: nowMs + 5,
          currency: null,
          after,
          limit: 2,
        })
        seen.push(...page)
        if (page.length < 2) break
      }
      expect(seen.map(({ amountNano }) => amountNano)).toEqual([-2n, -7n, -3n, -4n, -5n, -6n, -8n])
    })
  })
}
