import { createHash } from 'node:crypto'
import type { PriceList } from '../../core/price.ts'

export type PriceFigures = Omit<PriceList, 'version'>

/** A million dollars per million tokens: dearer is a typing error, and tokens × price stays within 64 bits below it. */
const priceNanoMax = 10n ** 15n
const versionCharacters = 16

/**
 * Completes figures to a price list. Its version is a hash of the figures, so that the same figures have the same version
 * on every replica and for ever, and a record names exactly what it was priced with.
 * @throws RangeError for a figure that is negative or above a dollar per token.
 */
export function createPriceList(figures: PriceFigures): PriceList {
  const { inputNanoPerMillion, outputNanoPerMillion, cacheReadNanoPerMillion, cacheWriteNanoPerMillion, searchNano } =
    figures
  const named = {
    inputNanoPerMillion,
    outputNanoPerMillion,
    cacheReadNanoPerMillion,
    cacheWriteNanoPerMillion,
    searchNano,
  }
  for (const [name, figure] of Object.entries(named)) {
    if (figure < 0n || figure > priceNanoMax) throw new RangeError(`${name} must be from 0 to ${priceNanoMax}`)
  }
  const text = Object.entries(named)
    .map(([name, figure]) => `${name}=${figure}`)
    .join(';')
  const digest = createHash('sha256').update(text).digest('hex')
  return { version: `price_${digest.slice(0, versionCharacters)}`, ...named }
}
