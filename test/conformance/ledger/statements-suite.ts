import { expect, it } from 'vitest'
import { buildGrant, buildSettlement, nowMs, usd } from '../builders.ts'
import type { OpenStorage } from '../open-test-storage.ts'
import { admitOne } from './admit-one.ts'

export function statementsSuite(open: OpenStorage): void {
  it('explains a balance line by line between two moments', async () => {
    const storage = await open()
    const { account, key, request } = await admitOne(storage)
    await storage.ledger.settle(buildSettlement(request, 100n, { atMs: nowMs + 1_000 }))
    await storage.ledger.post(buildGrant(account.id, 50n, { note: 'a gift', createdAtMs: nowMs + 2_000 }))
    const from = (fromMs: number, limit = 10) =>
      storage.ledger.statement(account.id, { fromMs, toMs: nowMs + 2_001, limit })
    expect(await from(0)).toMatchObject({
      openingNano: 0n,
      closingNano: 10n * usd - 50n,
      lines: [
        { code: 'grant', amountNano: 10n * usd, balanceNano: 10n * usd, requestId: null, keyId: null },
        {
          code: 'usage',
          amountNano: -100n,
          balanceNano: 10n * usd - 100n,
          requestId: request.requestId,
          keyId: key.id,
          atMs: nowMs + 1_000,
        },
        { code: 'grant', amountNano: 50n, balanceNano: 10n * usd - 50n, note: 'a gift' },
      ],
    })
    expect(await from(nowMs + 2_000)).toMatchObject({ openingNano: 10n * usd - 100n, lines: [{ amountNano: 50n }] })
    expect(await from(nowMs + 2_001)).toMatchObject({
      openingNano: 10n * usd - 50n,
      closingNano: 10n * usd - 50n,
      lines: [],
    })
    expect((await from(0, 2)).lines).toHaveLength(2)
    expect(await storage.ledger.statement('acc_none', { fromMs: 0, toMs: nowMs, limit: 10 })).toMatchObject({
      lines: [],
    })
  })

  it('shows an open hold with the balance as it stands', async () => {
    const storage = await open()
    const { request } = await admitOne(storage)
    expect(await storage.ledger.holdFacts(request.holdId)).toEqual({
      holdId: request.holdId,
      heldNano: usd,
      settledNano: null,
      state: 'open',
      balanceBeforeNano: 10n * usd,
      balanceAfterNano: null,
    })
    expect(await storage.ledger.holdFacts('hold_none')).toBeNull()
  })

  it('verifies after everything that the other tests did to it', async () => {
    const storage = await open()
    const { request } = await admitOne(storage)
    await storage.ledger.settle(
      buildSettlement(request, 9n, { record: { outcome: 'client_abort', costDelivered: false } }),
    )
    const report = await storage.ledger.verify()
    expect(report.problems).toEqual([])
    expect(report.ok).toBe(true)
    expect(report.undelivered).toContainEqual(expect.stringContaining(request.requestId))
  })
}
