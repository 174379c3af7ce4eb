import { expect, it } from 'vitest'
import {
  customerAccount,
  customerOf,
  fundingAccount,
  promoAccount,
  revenueAccount,
  writeoffAccount,
} from './ledger-account.ts'

it('names a customer’s ledger account after the account and finds the way back', () => {
  expect(customerAccount('acc_1')).toBe('customer:acc_1')
  expect(customerOf(customerAccount('acc_1'))).toBe('acc_1')
})

it('takes none of the ledger’s own accounts for a customer', () => {
  const own = [revenueAccount, promoAccount, writeoffAccount, fundingAccount('manual')]
  expect(own).toEqual(['revenue', 'promo', 'writeoff', 'funding:manual'])
  expect(own.map(customerOf)).toEqual([null, null, null, null])
})
