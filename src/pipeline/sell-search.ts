import { GatewayError } from '../core/gateway-error.ts'
import type { Search } from '../domain/search/search.ts'
import type { SearchOutcome, SearchResult } from '../domain/search/types.ts'
import { lookUpRates } from './look-up-rates.ts'
import type { Order, SaleDependencies, Sold, Ware } from './sale.ts'
import { sellPiece } from './sell-piece.ts'

/** More than a configuration gives a search. */
const totalMs = 120_000
const unavailableRetrySeconds = 10

interface SearchOrder extends Omit<Order, 'ware' | 'totalMs' | 'rates'> {
  readonly query: string
  readonly limit: number
  /** Asked first where it is configured; null keeps the operator's order. */
  readonly provider: string | null
}

/** Sells searches outside of a conversation. */
export interface SearchSales {
  /** What was found, which may be nothing and is then free. @throws GatewayError; then nothing was charged */
  search(order: SearchOrder): Promise<Sold<readonly SearchResult[]>>
}

interface SearchSalesDependencies extends SaleDependencies {
  readonly webSearch: Search
  /** What one search costs; read once per search. */
  readonly ware: () => Ware
}

/** A search, paid by the piece: admission with its rate per account, the providers, settlement (venice.md §3, §5.2). */
export function createSearchSales(dependencies: SearchSalesDependencies): SearchSales {
  const { webSearch, ware } = dependencies
  return {
    async search({ query, limit, provider, ...order }) {
      if (!(await webSearch.isConfigured())) throw new GatewayError('not_configured', 'This gateway has no web search.')
      const { accountId } = order.principal
      const request = { query, limit, provider, accountId, language: null, freshness: null }
      const isPaid = (found: readonly SearchResult[]) => found.length > 0
      return sellPiece(dependencies, { ...order, ware: ware(), totalMs, rates: lookUpRates, isPaid }, async () =>
        resultsOf(await webSearch.search(request, order.signal)),
      )
    },
  }
}

/** Who failed and why is the operator's concern. */
function resultsOf(outcome: SearchOutcome): readonly SearchResult[] {
  if ('results' in outcome) return outcome.results
  if (outcome.reason === 'empty') return []
  const message = 'Web search is not available now. Nothing was charged; try again shortly.'
  throw new GatewayError('service_unavailable', message, { retryAfterSeconds: unavailableRetrySeconds })
}
