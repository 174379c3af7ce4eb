import type { AccountId } from '../../core/ids.ts'
import type { LedgerAccount } from './types.ts'

/** The ledger's own accounts, the other side of every customer's transfer (money.md §2). */
export const revenueAccount: LedgerAccount = 'revenue'
export const promoAccount: LedgerAccount = 'promo'
export const writeoffAccount: LedgerAccount = 'writeoff'

const customerPrefix = 'customer:'

export function customerAccount(accountId: AccountId): LedgerAccount {
  return `${customerPrefix}${accountId}`
}

/** Where money comes in from: `manual`, or a payment network such as `x402:eip155:8453`. */
export function fundingAccount(source: string): LedgerAccount {
  return `funding:${source}`
}

/** The customer behind a ledger account; null for the ledger's own. */
export function customerOf(account: LedgerAccount): AccountId | null {
  return account.startsWith(customerPrefix) ? account.slice(customerPrefix.length) : null
}
