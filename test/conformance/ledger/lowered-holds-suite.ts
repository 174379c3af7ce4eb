import { expect, it } from 'vitest'
import { noFees } from '../../../src/core/price.ts'
import { buildRequest, buildSettlement, nowMs, usd } from '../builders.ts'
import { addCustomer, type OpenStorage } from '../open-test-storage.ts'

export function loweringSuite(open: OpenStorage): void {
  const diem = 3n * usd
  const begin = async (customer: Parameters<typeof addCustomer>[1]) => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, customer)
    const request = buildRequest(key, { fixedNano: 4n * usd })
    expect(await storage.admission.admit(request)).toMatchObject({ admitted: true })
    return { ...storage, account, key, request }
  }

  it('give back what is above the amount, to the account and to the key’s limit', async () => {
    const { ledger, admission, account, key, request } = await begin({
      balanceNano: 5n * usd,
      key: { limitNano: 5n * usd },
    })
    const another = () => admission.admit(buildRequest(key, { fixedNano: 3n * usd }))
    expect(await another()).toMatchObject({ admitted: false })
    await ledger.lower({ holdId: request.holdId, amountNano: 2n * usd })
    expect(await ledger.balance(account.id)).toMatchObject({ balanceNano: 5n * usd, heldNano: 2n * usd })
    expect(await another()).toMatchObject({ admitted: true })
    expect((await ledger.verify()).problems).toEqual([])
  })

  it('give back dollars before the allowance of the day', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd, account: { diemPerDayNano: diem } })
    await ledger.lower({ holdId: request.holdId, amountNano: 3n * usd + 7n })
    expect(await ledger.balance(account.id)).toMatchObject({ heldNano: 7n, funds: { diemHeldNano: diem } })
    await ledger.lower({ holdId: request.holdId, amountNano: 5n })
    expect(await ledger.balance(account.id)).toMatchObject({ heldNano: 0n, funds: { diemHeldNano: 5n } })
    await ledger.lower({ holdId: request.holdId, amountNano: 0n })
    expect(await ledger.balance(account.id)).toMatchObject({ heldNano: 0n, funds: { diemHeldNano: 0n } })
    expect((await ledger.verify()).problems).toEqual([])
  })

  it('are lowered once however often that is asked, never raised, and never charged above', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd })
    const amounts = [2n, 1n, 4n, 3n, 9n].map(dollars => dollars * usd)
    await Promise.all(amounts.map(amountNano => ledger.lower({ holdId: request.holdId, amountNano })))
    expect((await ledger.balance(account.id)).heldNano).toBe(usd)
    const { chargedNano } = await ledger.settle(buildSettlement(request, 4n * usd))
    expect(chargedNano).toBe(usd)
    await ledger.lower({ holdId: request.holdId, amountNano: 0n })
    expect(await ledger.balance(account.id)).toMatchObject({ balanceNano: 4n * usd, heldNano: 0n })
    expect((await ledger.verify()).problems).toEqual([])
  })

  it('that are not there, and amounts that cannot be, change nothing', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd })
    await ledger.lower({ holdId: 'hold_none', amountNano: 0n })
    await expect(ledger.lower({ holdId: request.holdId, amountNano: -1n })).rejects.toThrow(RangeError)
    expect((await ledger.balance(account.id)).heldNano).toBe(4n * usd)
  })

  it('are resolved at their last mark like others, at most at what they were lowered to', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd })
    const { holdId } = request
    await ledger.lower({ holdId, amountNano: 2n * usd })
    await ledger.mark({ holdId, chargeNano: 3n * usd, promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs })
    expect(await ledger.sweep(request.deadlineMs + 1, 0)).toMatchObject({ charged: 1 })
    expect(await ledger.balance(account.id)).toMatchObject({ balanceNano: 3n * usd, heldNano: 0n })
    expect((await ledger.verify()).problems).toEqual([])
  })
}
