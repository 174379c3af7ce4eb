import type { Amount } from './money.ts'

/** A model's prices, frozen into each hold at admission. All are nano-USD per million tokens, or per unit where named so. */
export interface PriceList {
  /** Names this exact list of figures: the same figures always have the same version. */
  readonly version: string
  readonly inputNanoPerMillion: Amount
  readonly outputNanoPerMillion: Amount
  readonly cacheReadNanoPerMillion: Amount
  readonly cacheWriteNanoPerMillion: Amount
  /** Per search whose results were used. */
  readonly searchNano: Amount
}

export type ChargeKind = 'input' | 'cache_read' | 'cache_write' | 'output' | 'search'

/** One line of a bill: rounded up once; the total is the plain sum of the lines (money.md §1). */
export interface ChargeLine {
  readonly kind: ChargeKind
  readonly quantity: number
  readonly amountNano: Amount
}

export interface Charge {
  readonly lines: readonly ChargeLine[]
  readonly totalNano: Amount
}
