import fc from 'fast-check'
import { expect, test } from 'vitest'
import { price, usd } from './usd.ts'

function messageOf(value: unknown): string | undefined {
  return usd().safeParse(value).error?.issues[0]?.message
}

test('an amount with at most nine decimals becomes nano-USD exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), nano => {
      // The oracle writes the decimal text itself; the number that YAML makes of it is what the schema gets.
      const text = `${nano / 10n ** 9n}.${(nano % 10n ** 9n).toString().padStart(9, '0')}`
      expect(usd().parse(Number(text))).toBe(nano)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  [0, 0n],
  [1e-9, 1n],
  [5e-9, 5n],
  [0.1, 100_000_000n],
  [0.30000000000000004 - 0.2, null],
  [1_000_000_000, 10n ** 18n],
])('%d dollars', (value, expected) => {
  if (expected === null) expect(messageOf(value)).toBe('must have at most nine decimals')
  else expect(usd().parse(value)).toBe(expected)
})

test.each([-1, -1e-9, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000_001, '1', null, 1n])('%s is refused', value => {
  expect(messageOf(value)).toBe('must be a number of dollars from 0 to 1000000000')
})

test.each([1e-10, 0.0000000001, 5e-324, 0.1234567891])('%d has too many decimals', value => {
  expect(messageOf(value)).toBe('must have at most nine decimals')
})

test('a price above 100,000 dollars per million tokens is a typing error', () => {
  expect(price().parse(100_000)).toBe(100_000n * 10n ** 9n)
  expect(price().safeParse(100_000.01).success).toBe(false)
})
