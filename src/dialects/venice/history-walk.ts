import { currencies as allLedgerCurrencies, type Currency as LedgerCurrency } from '../../core/currency.ts'

/** What usage can be charged in, as this surface names it. */
export const currencies = ['USD', 'DIEM', 'BUNDLED_CREDITS', 'EARNED_CREDITS'] as const
export type Currency = (typeof currencies)[number]

export const currencyWords = {
  usd: 'USD',
  diem: 'DIEM',
  bundled: 'BUNDLED_CREDITS',
  earned: 'EARNED_CREDITS',
} as const satisfies Record<LedgerCurrency, Currency>

/** The ledger's name of a currency; null for all stays null. */
export function ledgerCurrency(word: Currency | null): LedgerCurrency | null {
  return allLedgerCurrencies.find(currency => currencyWords[currency] === word) ?? null
}

/** A walk over the charges of an account, from the oldest to the newest, page by page. */
export interface HistoryWalk {
  /** Charges from this time on, and before that; fixed when the walk begins, so that pages do not move. */
  readonly fromMs: number
  readonly toMs: number
  /** Null for all. */
  readonly currency: Currency | null
  /** Rows per page at most. */
  readonly pageSize: number
  /** The last charge that was shown; null before the first page. */
  readonly after: { readonly atMs: number; readonly seq: number } | null
}
