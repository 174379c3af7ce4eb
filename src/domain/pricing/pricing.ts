import type { Amount } from '../../core/money.ts'
import { type Charge, type ChargeLine, type Fees, noFees, type PriceList } from '../../core/price.ts'
import type { Usage } from '../../core/usage.ts'
import { tokenLines } from './token-charge.ts'

/**
 * Prices a completion: one line per kind, each rounded up once; the total is their plain sum (money.md §1).
 * @throws RangeError for quantities that are not safe, non-negative integers.
 */
export function chargeUsage(usage: Usage, prices: PriceList, fees: Fees = noFees): Charge {
  return chargeOf([...tokenLines(usage, prices), ...feeLines(fees, prices)])
}

/** Prices what is paid whatever became of the answer (money.md §3). @throws RangeError as chargeUsage does */
export function chargeFees(fees: Fees, prices: PriceList): Charge {
  return chargeOf(feeLines(fees, prices))
}

function chargeOf(lines: readonly ChargeLine[]): Charge {
  return { lines, totalNano: lines.reduce((sum, line) => sum + line.amountNano, 0n) }
}

function feeLines({ searches, pages }: Fees, prices: PriceList): readonly ChargeLine[] {
  const lines = [
    { kind: 'search', quantity: searches, amountNano: feeNano(searches, prices.searchNano) },
    { kind: 'page', quantity: pages, amountNano: feeNano(pages, prices.pageNano) },
  ] as const
  return lines.filter(({ amountNano }) => amountNano > 0n)
}

function feeNano(quantity: number, priceNano: Amount): Amount {
  if (!Number.isSafeInteger(quantity) || quantity < 0) throw new RangeError('fees are for non-negative whole numbers')
  return BigInt(quantity) * priceNano
}
