import type { Model } from '../core/model.ts'
import type { Amount } from '../core/money.ts'
import type { PriceList } from '../core/price.ts'
import { priceVersion } from '../core/price-version.ts'
import { foldName } from '../lib/fold-name.ts'
import type { DefaultPrices } from './config.ts'
import { createMediaCosts } from './media-costs.ts'
import type { ModelSettings } from './schema.ts'

export interface ModelContext {
  readonly ownedBy: string
  /** Unix seconds at which the catalogue was written. */
  readonly createdSeconds: number
  readonly defaultPrices: DefaultPrices
  /** Per search; 0 where there is no search. */
  readonly searchNano: Amount
  /** Per page that is read. */
  readonly pageNano: Amount
}

/** A model of the file as the catalogue knows it. */
export function createModel(settings: ModelSettings, context: ModelContext): Model {
  const { regions, media, forward, served, pricing: _, name, ...rest } = settings
  return {
    ...rest,
    name: name ?? settings.id,
    prices: createPrices(settings, context),
    deniedRegions: regions.deny,
    mediaCheck: media.check === 'auto' ? null : media.check,
    mediaCosts: createMediaCosts(settings),
    deniedKeys: new Set(forward.deny.map(foldName)),
    served: served.map(({ engine, model, weight }) => ({ engineId: engine, engineModel: model, weight })),
    created: context.createdSeconds,
    ownedBy: context.ownedBy,
  }
}

function createPrices(
  { free, pricing }: ModelSettings,
  { defaultPrices, searchNano, pageNano }: ModelContext,
): PriceList {
  const standard = free ? { inputNanoPerMillion: 0n, outputNanoPerMillion: 0n } : defaultPrices
  const inputNanoPerMillion = pricing?.inputUsdPerMTok ?? standard.inputNanoPerMillion
  const figures = {
    inputNanoPerMillion,
    outputNanoPerMillion: pricing?.outputUsdPerMTok ?? standard.outputNanoPerMillion,
    cacheReadNanoPerMillion: pricing?.cacheReadUsdPerMTok ?? inputNanoPerMillion,
    cacheWriteNanoPerMillion: pricing?.cacheWriteUsdPerMTok ?? inputNanoPerMillion,
    searchNano,
    pageNano,
  }
  return { version: priceVersion(figures), ...figures }
}
