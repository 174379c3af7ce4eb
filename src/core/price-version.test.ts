import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceVersion } from './price-version.ts'

const figures = {
  inputNanoPerMillion: 250_000_000n,
  outputNanoPerMillion: 1_000_000_000n,
  cacheReadNanoPerMillion: 50_000_000n,
  cacheWriteNanoPerMillion: 300_000_000n,
  searchNano: 10_000_000n,
  pageNano: 0n,
}

test('the version of a price list never changes between releases', () => {
  expect(priceVersion(figures)).toBe('0bec77f82128')
})

test('the same figures in another order have the same version', () => {
  const { searchNano, ...rest } = figures
  expect(priceVersion({ searchNano, ...rest })).toBe(priceVersion(figures))
})

test('changing any one figure changes the version', () => {
  const names = Object.keys(figures) as (keyof typeof figures)[]
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.bigInt({ min: 1n, max: 10n ** 15n }), (name, change) => {
      const changed = { ...figures, [name]: figures[name] + change }
      expect(priceVersion(changed)).not.toBe(priceVersion(figures))
    }),
    { numRuns: 200 },
  )
})

test('moving an amount from one figure to its neighbour changes the version', () => {
  const moved = { ...figures, inputNanoPerMillion: 50_000_000n, cacheReadNanoPerMillion: 250_000_000n }
  expect(priceVersion(moved)).not.toBe(priceVersion(figures))
})
