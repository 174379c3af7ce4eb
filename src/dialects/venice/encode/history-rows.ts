import type { Currency as LedgerCurrency } from '../../../core/currency.ts'
import { type Amount, nanoPerUsd } from '../../../core/money.ts'
import type { ChargeKind, ChargeLine, PriceList } from '../../../core/price.ts'
import type { Usage } from '../../../core/usage.ts'
import { type Currency, currencyWords } from '../history-walk.ts'

/** A charge as the ledger booked it. */
export interface ChargeFacts {
  readonly place: { readonly atMs: number }
  readonly currency: LedgerCurrency
  /** Negative when the account paid. */
  readonly amountNano: Amount
  readonly request: RequestFacts | null
}

interface RequestFacts {
  readonly generationId: string
  readonly model: string
  readonly usage: Usage
  readonly totalMs: number
  readonly lines: readonly ChargeLine[]
  readonly prices: PriceList | null
  /** True when more than one currency paid. */
  readonly isShared: boolean
}

/** A row of the history. Numbers that need not be whole are in billionths, as amounts are. */
export interface HistoryRow {
  readonly atMs: number
  readonly sku: string
  readonly unitsNano: bigint
  readonly pricePerUnitNano: Amount
  readonly amountNano: Amount
  readonly currency: Currency
  readonly notes: string
  readonly inference: Omit<RequestFacts, 'model' | 'lines' | 'prices' | 'isShared'> | null
}

/**
 * The rows of a charge: one for each line of the bill. A charge that its lines do not add up to, because several currencies
 * share it, it was corrected or its record is gone, is one row by itself, so that the history always adds up to the ledger.
 */
export function historyRows(charge: ChargeFacts): readonly HistoryRow[] {
  const { request, amountNano } = charge
  const explained = request?.lines.reduce((sum, line) => sum + line.amountNano, 0n)
  if (request === null || explained !== -amountNano) return [wholeRow(charge)]
  return request.lines.map(line => ({ ...commonOf(charge), ...lineOf(line, request) }))
}

function commonOf({ place, currency, request }: ChargeFacts) {
  const inference = request === null ? null : { ...request }
  return { atMs: place.atMs, currency: currencyWords[currency], notes: 'API Inference', inference } as const
}

function wholeRow(charge: ChargeFacts): HistoryRow {
  const { amountNano, request } = charge
  return {
    ...commonOf(charge),
    sku: request === null ? 'llm-usage' : `${request.model}-llm-usage`,
    unitsNano: nanoPerUsd,
    pricePerUnitNano: amountNano < 0n ? -amountNano : amountNano,
    amountNano,
    notes: wholeNote(charge),
  }
}

function wholeNote({ request }: ChargeFacts): string {
  if (request === null) return 'API Inference (its details are no longer kept)'
  return request.isShared ? 'API Inference (the part that this currency paid)' : 'API Inference (corrected later)'
}

/** Tokens are sold by the million; a thousand billionths are one of them. */
const nanoPerToken = 1_000n

const skus: Readonly<Record<ChargeKind, string>> = {
  input: 'llm-input-mtoken',
  cache_read: 'llm-cache-read-mtoken',
  cache_write: 'llm-cache-write-mtoken',
  output: 'llm-output-mtoken',
  search: 'web-search',
  document: 'document',
  page: 'web-scrape',
}

const pricesOf: Readonly<Record<ChargeKind, (prices: PriceList) => Amount>> = {
  input: prices => prices.inputNanoPerMillion,
  cache_read: prices => prices.cacheReadNanoPerMillion,
  cache_write: prices => prices.cacheWriteNanoPerMillion,
  output: prices => prices.outputNanoPerMillion,
  search: prices => prices.searchNano,
  document: prices => prices.searchNano,
  page: prices => prices.pageNano,
}

function lineOf({ kind, quantity, amountNano }: ChargeLine, { model, prices }: RequestFacts) {
  const isPiece = kind === 'search' || kind === 'document' || kind === 'page'
  const unitsNano = BigInt(quantity) * (isPiece ? nanoPerUsd : nanoPerToken)
  return {
    sku: `${model}-${skus[kind]}`,
    unitsNano,
    pricePerUnitNano: prices === null ? 0n : pricesOf[kind](prices),
    amountNano: -amountNano,
  }
}
