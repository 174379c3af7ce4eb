import { expect, it } from 'vitest'
import { buildRequest, buildSettlement, nowMs, usd } from '../builders.ts'
import { addCustomer, type OpenStorage } from '../open-test-storage.ts'
import { admitOne } from './admit-one.ts'

const hour = 3_600_000

export function freeFailuresSuite(open: OpenStorage): void {
  it('are free as often as the account may fail in an hour, then cost what was delivered', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const fail = async (atMs: number) => {
      const request = buildRequest(key)
      await storage.admission.admit(request)
      const lines = [{ kind: 'input', quantity: 1, amountNano: 7n }] as const
      const freeFailure = { allowancePerHour: 3, chargeNano: 7n, lines }
      return await storage.ledger.settle(buildSettlement(request, 0n, { freeFailure, writeoffNano: 7n, atMs }))
    }
    const charges = await Promise.all(Array.from({ length: 5 }, () => fail(nowMs)))
    expect(charges.map(({ chargedNano }) => chargedNano)).toEqual([0n, 0n, 0n, 7n, 7n])
    expect(charges.at(-1)?.lines).toEqual([{ kind: 'input', quantity: 1, amountNano: 7n }])
    expect((await fail(nowMs + hour)).chargedNano).toBe(0n)
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(100n * usd - 14n)
  })

  it('are none when the allowance is zero', async () => {
    const storage = await open()
    const { request } = await admitOne(storage)
    const freeFailure = {
      allowancePerHour: 0,
      chargeNano: 5n,
      lines: [{ kind: 'input', quantity: 1, amountNano: 5n }],
    } as const
    expect((await storage.ledger.settle(buildSettlement(request, 0n, { freeFailure }))).chargedNano).toBe(5n)
  })
}
