import type { Insertable, Selectable } from 'kysely'
import type { PriceList } from '../../../core/price.ts'
import { fromDbAmount } from './mapping.ts'
import type { Tables } from './tables.ts'

export function fromDbPriceList(row: Selectable<Tables['price_lists']>): PriceList {
  return {
    version: row.version,
    inputNanoPerMillion: fromDbAmount(row.input_nano),
    outputNanoPerMillion: fromDbAmount(row.output_nano),
    cacheReadNanoPerMillion: fromDbAmount(row.cache_read_nano),
    cacheWriteNanoPerMillion: fromDbAmount(row.cache_write_nano),
    searchNano: fromDbAmount(row.search_nano),
    pageNano: fromDbAmount(row.page_nano),
  }
}

export function toDbPriceList(prices: PriceList): Insertable<Tables['price_lists']> {
  return {
    version: prices.version,
    input_nano: prices.inputNanoPerMillion,
    output_nano: prices.outputNanoPerMillion,
    cache_read_nano: prices.cacheReadNanoPerMillion,
    cache_write_nano: prices.cacheWriteNanoPerMillion,
    search_nano: prices.searchNano,
    page_nano: prices.pageNano,
  }
}
