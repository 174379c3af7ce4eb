import { createHash } from 'node:crypto'
import type { PriceList } from './price.ts'

const versionLength = 12

/**
 * Names a list of figures: twelve hexadecimal characters of their SHA-256. The same figures always have the same name,
 * on every replica and after every restart, so that a record can be checked against its prices for ever. A figure that
 * came later is part of the text where it is not zero, so that older lists keep their names.
 */
export function priceVersion(figures: Omit<PriceList, 'version'>): string {
  const text = [
    `input=${figures.inputNanoPerMillion}`,
    `output=${figures.outputNanoPerMillion}`,
    `cacheRead=${figures.cacheReadNanoPerMillion}`,
    `cacheWrite=${figures.cacheWriteNanoPerMillion}`,
    `search=${figures.searchNano}`,
    ...(figures.pageNano === 0n ? [] : [`page=${figures.pageNano}`]),
  ].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, versionLength)
}
