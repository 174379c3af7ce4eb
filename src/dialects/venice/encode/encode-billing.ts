import { type Balances, consumptionCurrency, encodeBillingBalances } from './balances.ts'
import { exactJson } from './exact-json.ts'

/** `GET /billing/balance` (venice.md §14). */
export function encodeBalance(balances: Balances, canConsume: boolean): string {
  return exactJson({
    canConsume,
    consumptionCurrency: consumptionCurrency(balances, canConsume),
    balances: encodeBillingBalances(balances),
    diemEpochAllocation: balances.diemPerDayNano,
  })
}

/** What tells callers of the retired `GET /billing/usage` where its rows are now (RFC 9745, RFC 8594, RFC 8288). */
export function retiredUsageHeaders(publicUrl: string): Record<string, string> {
  return {
    deprecation: '@1789516800',
    sunset: 'Wed, 16 Sep 2026 00:00:00 GMT',
    link: `<${publicUrl}/api/v1/billing/usage-history>; rel="successor-version"`,
  }
}

export const retiredUsageText =
  'This address is retired. Use GET /api/v1/billing/usage-history: `pageSize` and `nextCursor` stand for `limit` and ' +
  '`page`, `startTimestamp` and `endTimestamp` for `startDate` and `endDate`.'
