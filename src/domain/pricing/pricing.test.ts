import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd, parseUsd } from '../../core/money.ts'
import type { PriceList } from '../../core/price.ts'
import { priceVersion } from '../../core/price-version.ts'
import { noUsage, type Usage } from '../../core/usage.ts'
import { chargeFees, chargeUsage } from './pricing.ts'

const priceList = (figures: Omit<PriceList, 'version'>): PriceList => ({ ...figures, version: priceVersion(figures) })

const prices = priceList({
  inputNanoPerMillion: parseUsd('0.25'),
  outputNanoPerMillion: parseUsd('1'),
  cacheReadNanoPerMillion: parseUsd('0.05'),
  cacheWriteNanoPerMillion: parseUsd('0.3'),
  searchNano: parseUsd('0.01'),
  pageNano: parseUsd('0.01'),
})

describe('a charge', () => {
  it('bills uncached, cached, written and output tokens each at their own price', () => {
    const usage = {
      promptTokens: 1_000,
      cachedTokens: 600,
      cacheWriteTokens: 100,
      completionTokens: 50,
      reasoningTokens: 20,
    }
    expect(chargeUsage(usage, prices)).toEqual({
      lines: [
        { kind: 'input', quantity: 300, amountNano: 75_000n },
        { kind: 'cache_read', quantity: 600, amountNano: 30_000n },
        { kind: 'cache_write', quantity: 100, amountNano: 30_000n },
        { kind: 'output', quantity: 50, amountNano: 50_000n },
      ],
      totalNano: 185_000n,
    })
  })

  it('rounds each line up once', () => {
    const cheap = priceList({ ...prices, inputNanoPerMillion: 1n, outputNanoPerMillion: 1n })
    const usage = { ...noUsage, promptTokens: 1, completionTokens: 1_000_001 }
    expect(chargeUsage(usage, cheap)).toEqual({
      lines: [
        { kind: 'input', quantity: 1, amountNano: 1n },
        { kind: 'output', quantity: 1_000_001, amountNano: 2n },
      ],
      totalNano: 3n,
    })
  })

  it('adds a fee for each search and each page', () => {
    expect(chargeUsage(noUsage, prices, { searches: 2, pages: 3 })).toEqual({
      lines: [
        { kind: 'search', quantity: 2, amountNano: 20_000_000n },
        { kind: 'page', quantity: 3, amountNano: 30_000_000n },
      ],
      totalNano: 50_000_000n,
    })
  })

  it('has no line for what costs nothing', () => {
    expect(chargeUsage(noUsage, prices)).toEqual({ lines: [], totalNano: 0n })
  })

  it.each([
    ['a negative count', { promptTokens: -1 }],
    ['a fraction', { completionTokens: 1.5 }],
    ['not a number', { completionTokens: Number.NaN }],
    ['more than 2^53', { completionTokens: 2 ** 53 }],
    ['more cached than prompt tokens', { promptTokens: 5, cachedTokens: 6 }],
  ])('refuses %s instead of pricing it', (_, change) => {
    expect(() => chargeUsage({ ...noUsage, ...change }, prices)).toThrow(RangeError)
  })

  it('refuses a count of fees that is none', () => {
    expect(() => chargeUsage(noUsage, prices, { searches: -1, pages: 0 })).toThrow(RangeError)
    expect(() => chargeFees({ searches: 0, pages: 0.5 }, prices)).toThrow(RangeError)
  })
})

/** Schoolbook arithmetic on decimal text, so that nothing is shared with the code under test but the question. */
const oracle = {
  /** `left × right` of two digit strings. */
  multiply(left: string, right: string): string {
    const digits = new Array<number>(left.length + right.length).fill(0)
    for (let row = left.length - 1; row >= 0; row--)
      for (let column = right.length - 1; column >= 0; column--) {
        const sum = Number(left[row]) * Number(right[column]) + (digits[row + column + 1] ?? 0)
        digits[row + column + 1] = sum % 10
        digits[row + column] = (digits[row + column] ?? 0) + Math.floor(sum / 10)
      }
    return digits.join('')
  },
  add(left: string, right: string): string {
    const width = Math.max(left.length, right.length) + 1
    let carry = 0
    let sum = ''
    for (let index = 1; index <= width; index++) {
      const digit = Number(left.at(-index) ?? 0) + Number(right.at(-index) ?? 0) + carry
      sum = `${digit % 10}${sum}`
      carry = Math.floor(digit / 10)
    }
    return sum
  },
  /** Nano-dollars for tokens at a dollar price per million with nine decimals: six digits are cut off, upwards. */
  lineNano(tokens: number, usdPerMillion: string): string {
    const [whole = '0', fraction = ''] = usdPerMillion.split('.')
    const product = oracle.multiply(String(tokens), whole + fraction.padEnd(9, '0')).padStart(7, '0')
    const kept = product.slice(0, -6)
    return /[1-9]/.test(product.slice(-6)) ? oracle.add(kept, '1') : kept
  },
  trim: (digits: string) => digits.replace(/^0+(?=\d)/, ''),
}

it('agrees with an independent oracle on decimal text, for any usage and any prices', () => {
  const price = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.bigInt({ min: 0n, max: 50n }),
    fc.constantFrom(0n, 1n, 999_999n, 1_000_000n, 1_000_001n, 10n ** 15n),
  )
  const tokens = fc.oneof(fc.nat({ max: 2_000_000 }), fc.nat({ max: 3 }))
  fc.assert(
    fc.property(fc.tuple(price, price, price, price), fc.tuple(tokens, tokens, tokens, tokens), (figures, counts) => {
      const [input, read, write, output] = figures
      const [uncached, cached, written, completion] = counts
      const list = priceList({
        inputNanoPerMillion: input,
        cacheReadNanoPerMillion: read,
        cacheWriteNanoPerMillion: write,
        outputNanoPerMillion: output,
        searchNano: 0n,
        pageNano: 0n,
      })
      const usage: Usage = {
        promptTokens: uncached + cached + written,
        cachedTokens: cached,
        cacheWriteTokens: written,
        completionTokens: completion,
        reasoningTokens: 0,
      }
      const expected = counts
        .map((count, index) => oracle.lineNano(count, formatUsd(figures[index] ?? 0n)))
        .reduce(oracle.add, '0')
      expect(chargeUsage(usage, list).totalNano.toString()).toBe(oracle.trim(expected))
    }),
    { numRuns: 2_000 },
  )
})
