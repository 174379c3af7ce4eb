import type { Charge, ChargeLine, PriceList } from '../../core/price.ts'
import type { Usage } from '../../core/usage.ts'
import { tokenLines } from './token-charge.ts'

/** What a request may cost beside tokens. */
export interface ChargeExtras {
  /** Searches whose results entered the prompt or were delivered (money.md §3). */
  readonly searches: number
}

const noExtras: ChargeExtras = { searches: 0 }

/**
 * Prices a completion: one line per kind, each rounded up once; the total is their plain sum (money.md §1).
 * @throws RangeError for quantities that are not safe, non-negative integers.
 */
export function chargeUsage(usage: Usage, prices: PriceList, extras: ChargeExtras = noExtras): Charge {
  const lines = [...tokenLines(usage, prices), ...searchLines(extras.searches, prices)]
  return { lines, totalNano: lines.reduce((sum, line) => sum + line.amountNano, 0n) }
}

function searchLines(searches: number, prices: PriceList): readonly ChargeLine[] {
  if (!Number.isSafeInteger(searches) || searches < 0) throw new RangeError('searches must be a non-negative integer')
  const amountNano = BigInt(searches) * prices.searchNano
  return amountNano === 0n ? [] : [{ kind: 'search', quantity: searches, amountNano }]
}
