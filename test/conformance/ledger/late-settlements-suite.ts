import { expect, it } from 'vitest'
import type { Storage } from '../../../src/adapters/storage/storage.ts'
import { noFees } from '../../../src/core/price.ts'
import type { Settlement } from '../../../src/domain/ledger/types.ts'
import { buildRequest, buildSettlement, nowMs, usd } from '../builders.ts'
import { addCustomer, type OpenStorage } from '../open-test-storage.ts'

export function lateSettlementsSuite(open: OpenStorage): void {
  async function swept(storage: Storage, markedNano: bigint, mode: 'soft' | 'strict' = 'strict') {
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd, account: { mode } })
    const request = buildRequest(key, { deadlineMs: nowMs - 100_000 })
    await storage.admission.admit(request)
    const progress = { promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs }
    await storage.ledger.mark({ holdId: request.holdId, chargeNano: markedNano, ...progress })
    await storage.ledger.sweep(nowMs, 60_000)
    return { account, key, request }
  }

  it.each([
    ['more', 700n],
    ['less', 100n],
    ['the same', 300n],
    ['nothing', 0n],
  ])('post the difference once when the request really cost %s', async (_, chargeNano) => {
    const storage = await open()
    const { account, request } = await swept(storage, 300n)
    const settle = (nano: bigint) => storage.ledger.settle(buildSettlement(request, nano))
    expect(await settle(chargeNano)).toMatchObject({ effect: 'adjusted', chargedNano: chargeNano })
    expect(await settle(900n)).toMatchObject({ effect: 'already', chargedNano: chargeNano })
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(10n * usd - chargeNano)
    const record = await storage.usage.findByGeneration(request.generationId, account.id)
    expect(record).toMatchObject({ outcome: 'done', costNano: chargeNano, costDelivered: true })
    expect(await storage.ledger.holdFacts(request.holdId)).toMatchObject({ balanceAfterNano: 10n * usd - chargeNano })
  })

  it('never take more than the hold', async () => {
    const storage = await open()
    const { account, request } = await swept(storage, 300n)
    expect(await storage.ledger.settle(buildSettlement(request, 5n * usd))).toMatchObject({ chargedNano: usd })
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(9n * usd)
  })

  it.each([
    ['strict', 0n],
    ['soft', usd / 2n],
  ] as const)('take from a %s account no more than it has left by then', async (mode, overdraftNano) => {
    const storage = await open()
    const { account, key, request } = await swept(storage, 0n, mode)
    const rest = buildRequest(key, { fixedNano: 10n * usd - 7n })
    expect((await storage.admission.admit(rest)).admitted).toBe(true)
    const settled = await storage.ledger.settle(buildSettlement(request, usd))
    expect(settled).toMatchObject({ effect: 'adjusted', chargedNano: 7n + overdraftNano })
    await storage.ledger.settle(buildSettlement(rest, 10n * usd - 7n))
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(-overdraftNano)
  })

  it('race to one correction', async () => {
    const storage = await open()
    const { account, request } = await swept(storage, 300n)
    const late: Settlement[] = [10n, 20n, 30n, 40n].map(nano => buildSettlement(request, nano))
    const results = await Promise.all(late.map(settlement => storage.ledger.settle(settlement)))
    expect(results.map(({ effect }) => effect)).toEqual(['adjusted', 'already', 'already', 'already'])
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(10n * usd - 10n)
  })
}
