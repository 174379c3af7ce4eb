import type { CurrencyParts } from './currency.ts'
import type { Amount } from './money.ts'

/** A model's prices, frozen into each hold at admission. All are nano-USD per million tokens, or per unit where named so. */
export interface PriceList {
  /** Names this exact list of figures: the same figures always have the same version. */
  readonly version: string
  readonly inputNanoPerMillion: Amount
  readonly outputNanoPerMillion: Amount
  readonly cacheReadNanoPerMillion: Amount
  readonly cacheWriteNanoPerMillion: Amount
  /** Per search whose results were used. In the list of a ware that is no model: per piece of the ware. */
  readonly searchNano: Amount
  /** Per page that was read. */
  readonly pageNano: Amount
}

export type ChargeKind = 'input' | 'cache_read' | 'cache_write' | 'output' | 'search' | 'document' | 'page'

/** One line of a bill: rounded up once; the total is the plain sum of the lines (money.md §1). */
export interface ChargeLine {
  readonly kind: ChargeKind
  readonly quantity: number
  readonly amountNano: Amount
}

/** What is paid by the piece beside tokens (money.md §3). */
export interface Fees {
  /** Searches whose results entered the prompt or were delivered. */
  readonly searches: number
  /** Pages that were read. */
  readonly pages: number
}

export const noFees: Fees = { searches: 0, pages: 0 }

export interface Charge {
  readonly lines: readonly ChargeLine[]
  readonly totalNano: Amount
  /** How it was paid, where not in dollars alone. */
  readonly paid?: CurrencyParts
}
