import type { Config } from '../config/config.ts'
import type { PriceList } from '../core/price.ts'
import { priceVersion } from '../core/price-version.ts'
import type { Ware } from '../pipeline/sale.ts'

/** The reading of one file, as it is sold by itself. */
export function parserWare({ documents }: Pick<Config, 'documents'>): Ware {
  return {
    id: 'text-parser',
    kind: 'document',
    prices: pricesOfPiece({ searchNano: documents.priceNano, pageNano: 0n }),
  }
}

/** What is looked up outside of a conversation has one name, and so one rate, whatever it is. */
const lookUp = 'augment'

export function searchWare({ search }: Pick<Config, 'search'>): Ware {
  return { id: lookUp, kind: 'search', prices: pricesOfPiece({ searchNano: search.priceNano, pageNano: 0n }) }
}

export function pageWare({ scrape: { pageNano } }: Pick<Config, 'scrape'>): Ware {
  return { id: lookUp, kind: 'page', prices: pricesOfPiece({ searchNano: pageNano, pageNano }) }
}

/** All prices that something may be sold at. */
export function pricesOf(config: Config): readonly PriceList[] {
  const wares = [parserWare, searchWare, pageWare].map(wareOf => wareOf(config).prices)
  return [...config.models.map(model => model.prices), ...wares]
}

function pricesOfPiece(piece: Pick<PriceList, 'searchNano' | 'pageNano'>): PriceList {
  const figures = {
    inputNanoPerMillion: 0n,
    outputNanoPerMillion: 0n,
    cacheReadNanoPerMillion: 0n,
    cacheWriteNanoPerMillion: 0n,
    ...piece,
  }
  return { version: priceVersion(figures), ...figures }
}
