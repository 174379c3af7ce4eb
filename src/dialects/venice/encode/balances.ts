import type { Balances as CurrencyBalances } from '../../../core/currency.ts'
import type { Amount } from '../../../core/money.ts'
import type { ExactObject } from './exact-json.ts'

/** What an account may spend, by currency. A DIEM buys as much as a dollar, for a day. */
export interface Balances extends CurrencyBalances {
  /** The DIEM that each day begins with. */
  readonly diemPerDayNano: Amount
}

/** As `GET /api_keys/rate_limits` names them (venice.md §5.3). */
export function encodeBalances({ usdNano, diemNano, bundledNano }: Balances): ExactObject {
  return { USD: usdNano, DIEM: diemNano, BUNDLED_CREDITS: bundledNano }
}

/** As `GET /billing/balance` names them (venice.md §14). */
export function encodeBillingBalances({ usdNano, diemNano, bundledNano, earnedNano }: Balances): ExactObject {
  return { diem: diemNano, usd: usdNano, bundledCredits: bundledNano, earnedCredits: earnedNano }
}

/** What the next request is paid with (venice.md §6.1, "spend order"); null when nothing is left. */
export function consumptionCurrency(balances: Balances, canPay: boolean): string | null {
  if (!canPay) return null
  if (balances.diemNano > 0n) return 'DIEM'
  if (balances.earnedNano > 0n) return 'EARNED_CREDITS'
  return balances.bundledNano > 0n ? 'BUNDLED_CREDITS' : 'USD'
}
