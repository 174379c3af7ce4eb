import { describe, expect, it } from 'vitest'
import type { RateRefusal } from '../../src/domain/limits/types.ts'
import { nowMs } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

export function refusalsSuite(open: OpenStorage): void {
  describe('limits: what a rate refused', () => {
    it('keeps the newest fifty of each account, the newest first', async () => {
      const storage = await open()
      const { refusals } = storage
      const [one, two] = [await addCustomer(storage), await addCustomer(storage)]
      const refusal = (customer: typeof one, at: number): RateRefusal => ({
        accountId: customer.account.id,
        keyId: customer.key.id,
        model: `model-${at}`,
        rate: 'tokens',
        atMs: nowMs + at,
      })
      await refusals.add([refusal(two, 0), ...Array.from({ length: 30 }, (_, at) => refusal(one, at))])
      await refusals.add(Array.from({ length: 30 }, (_, at) => refusal(one, 30 + at)))
      const kept = await refusals.list(one.account.id)
      expect(kept).toEqual(Array.from({ length: 50 }, (_, index) => refusal(one, 59 - index)))
      expect(await refusals.list(two.account.id)).toEqual([refusal(two, 0)])
    })

    it('leaves out those of accounts and keys that are not there', async () => {
      const storage = await open()
      const { refusals } = storage
      const [one, two] = [await addCustomer(storage), await addCustomer(storage)]
      const facts = { model: 'm', rate: 'requests', atMs: nowMs } as const
      await refusals.add([
        { ...facts, accountId: one.account.id, keyId: two.key.id },
        { ...facts, accountId: 'acc_none', keyId: 'key_none' },
      ])
      await refusals.add([])
      expect(await refusals.list(one.account.id)).toEqual([])
      expect(await refusals.list('acc_none')).toEqual([])
    })
  })
}
