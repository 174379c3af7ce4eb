import { GatewayError } from '../core/gateway-error.ts'
import type { PageReader, PageReading, ReadPage } from '../core/page-reader.ts'
import { lookUpRates } from './look-up-rates.ts'
import type { Order, SaleDependencies, Sold, Ware } from './sale.ts'
import { sellPiece } from './sell-piece.ts'

/** More than fetching and reading take, at their bounds. */
const totalMs = 60_000

interface PageOrder extends Omit<Order, 'ware' | 'totalMs' | 'rates' | 'isPaid'> {
  readonly address: string
}

/** Sells pages outside of a conversation. */
export interface PageSales {
  /** @throws GatewayError; then nothing was charged */
  read(order: PageOrder): Promise<Sold<ReadPage>>
}

interface PageSalesDependencies extends SaleDependencies {
  readonly pages: PageReader
  /** What one page costs; read once per page. */
  readonly ware: () => Ware
}

/** A page, paid by the piece: admission with its rate per account, the reader, settlement (venice.md §3, §5.2). */
export function createPageSales(dependencies: PageSalesDependencies): PageSales {
  const { pages, ware } = dependencies
  return {
    read: ({ address, ...order }) =>
      sellPiece(dependencies, { ...order, ware: ware(), totalMs, rates: lookUpRates }, async () =>
        pageOf(await pages.read(address, order.principal.accountId, order.signal)),
      ),
  }
}

function pageOf(reading: PageReading): ReadPage {
  if (reading.kind === 'page') return reading.page
  if (reading.kind === 'failed')
    throw new GatewayError('page_unreadable', 'The page could not be read. Nothing was charged.')
  const message =
    reading.kind === 'disallowed'
      ? 'The site does not let programs read this page (robots.txt). Nothing was charged.'
      : 'Pages of this address are not read. Name a public page that needs no account.'
  throw new GatewayError('invalid_value', message, { param: 'url' })
}
