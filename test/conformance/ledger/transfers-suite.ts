import { expect, it } from 'vitest'
import { noOtherFunds } from '../../../src/core/currency.ts'
import { StoreConflict } from '../../../src/core/store-error.ts'
import { buildGrant, buildRequest, buildSettlement, random, usd } from '../builders.ts'
import { addCustomer, type OpenStorage } from '../open-test-storage.ts'

export function transfersSuite(open: OpenStorage): void {
  it('credits an account and keeps the sum of entries', async () => {
    const { ledger, ...storage } = await open()
    const { account } = await addCustomer({ ledger, ...storage }, { balanceNano: 5n * usd })
    await ledger.post(buildGrant(account.id, 2n * usd, { code: 'topup', debit: 'funding:x402:eip155:8453' }))
    await ledger.post(
      buildGrant(account.id, usd, { code: 'clawback', debit: `customer:${account.id}`, credit: 'funding:manual' }),
    )
    expect(await ledger.balance(account.id)).toEqual({
      balanceNano: 6n * usd,
      heldNano: 0n,
      creditedNano: 7n * usd,
      debitedNano: usd,
      funds: noOtherFunds,
    })
  })

  it('posts a transfer once however often it is repeated, and refuses another one under its key', async () => {
    const { ledger, ...storage } = await open()
    const { account } = await addCustomer({ ledger, ...storage })
    const grant = buildGrant(account.id, usd)
    const repeated = Array.from({ length: 20 }, () => ledger.post({ ...grant, id: `xfer_${random.hex(12)}` }))
    const posted = await Promise.all(repeated)
    expect(new Set(posted.map(({ transferId }) => transferId)).size).toBe(1)
    expect(posted.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect((await ledger.balance(account.id)).balanceNano).toBe(usd)
    await expect(ledger.post({ ...grant, amountNano: 2n * usd })).rejects.toThrow(StoreConflict)
    await expect(ledger.post({ ...grant, code: 'topup' })).rejects.toThrow(StoreConflict)
    expect((await ledger.balance(account.id)).balanceNano).toBe(usd)
  })

  it('refuses transfers that cannot be, and none of them harms its neighbours', async () => {
    const { ledger, ...storage } = await open()
    const { account } = await addCustomer({ ledger, ...storage })
    const other = await addCustomer({ ledger, ...storage })
    const bad = [
      { amountNano: 0n },
      { amountNano: -usd },
      { amountNano: 2n ** 63n },
      { credit: 'customer:acc_none' },
      { debit: `customer:${other.account.id}` },
      { debit: `customer:${account.id}` },
      { code: 'usage' as const },
      { code: 'adjust' as const },
      { holdId: 'hold_none' },
      { code: 'refund' as const, debit: 'revenue', holdId: 'hold_none' },
    ]
    const results = await Promise.allSettled([
      ledger.post(buildGrant(account.id, usd)),
      ...bad.map(change => ledger.post(buildGrant(account.id, usd, change))),
      ledger.post(buildGrant(account.id, usd)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...bad.map(() => 'rejected'), 'fulfilled'])
    expect((await ledger.balance(account.id)).balanceNano).toBe(2n * usd)
  })

  it('refunds a request at most what it was charged', async () => {
    const { admission, ledger, ...storage } = await open()
    const { account, key } = await addCustomer({ ledger, ...storage }, { balanceNano: 5n * usd })
    const request = buildRequest(key)
    await admission.admit(request)
    await ledger.settle(buildSettlement(request, usd))
    const refund = (amountNano: bigint) =>
      ledger.post(buildGrant(account.id, amountNano, { code: 'refund', debit: 'revenue', holdId: request.holdId }))
    await refund(usd / 2n)
    await expect(refund(usd / 2n + 1n)).rejects.toThrow(RangeError)
    await refund(usd / 2n)
    await expect(refund(1n)).rejects.toThrow(RangeError)
    expect((await ledger.balance(account.id)).balanceNano).toBe(5n * usd)
  })
}
