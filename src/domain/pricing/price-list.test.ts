import { expect, it } from 'vitest'
import { createPriceList, type PriceFigures } from './price-list.ts'

const figures: PriceFigures = {
  inputNanoPerMillion: 250_000_000n,
  outputNanoPerMillion: 1_000_000_000n,
  cacheReadNanoPerMillion: 50_000_000n,
  cacheWriteNanoPerMillion: 300_000_000n,
  searchNano: 10_000_000n,
}

it('gives the same figures the same version, in whatever order they come, for ever', () => {
  const { searchNano, ...rest } = figures
  expect(createPriceList(figures).version).toBe('price_de886be0eeac2149')
  expect(createPriceList({ searchNano, ...rest }).version).toBe(createPriceList(figures).version)
})

it('gives every other figure another version', () => {
  const names = Object.keys(figures) as (keyof PriceFigures)[]
  const versions = names.map(name => createPriceList({ ...figures, [name]: figures[name] + 1n }).version)
  expect(new Set([...versions, createPriceList(figures).version]).size).toBe(names.length + 1)
})

it('refuses a negative price, and one above a dollar per token', () => {
  expect(() => createPriceList({ ...figures, outputNanoPerMillion: -1n })).toThrow(/outputNanoPerMillion/)
  expect(() => createPriceList({ ...figures, searchNano: 10n ** 15n + 1n })).toThrow(/searchNano/)
  expect(createPriceList({ ...figures, inputNanoPerMillion: 0n }).inputNanoPerMillion).toBe(0n)
})
