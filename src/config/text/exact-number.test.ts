import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExactNumber } from './exact-number.ts'

test('every number that a double prints is exact', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
      expect(isExactNumber(value, String(value))).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a decimal with at most 15 digits is exact wherever its point stands', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 20 }), (digits, decimals) => {
      const text = withPoint(digits, decimals)
      expect(isExactNumber(Number(text), text)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a decimal with more digits than any double is printed with is never exact', () => {
  const eighteen = fc.bigInt({ min: 10n ** 17n, max: 10n ** 24n }).filter(digits => digits % 10n !== 0n)
  fc.assert(
    fc.property(eighteen, fc.integer({ min: 0, max: 20 }), (digits, decimals) => {
      const text = withPoint(digits, decimals)
      expect(isExactNumber(Number(text), text)).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('spelling does not matter: signs, leading and trailing zeros, exponents', () => {
  for (const text of ['1.50', '0001.5', '+1.5', '15e-1', '.5', '5.', '-0.0', '1E3', '1e-7', '100000000000000000000']) {
    expect(isExactNumber(Number(text), text), text).toBe(true)
  }
})

test('digits that would be lost are noticed', () => {
  for (const text of ['123456789012.123456789', '9007199254740993', '0.12345678901234567891']) {
    expect(isExactNumber(Number(text), text), text).toBe(false)
  }
})

test('hexadecimal and octal numbers are exact while they are safe integers', () => {
  expect(isExactNumber(0x20, '0x20')).toBe(true)
  expect(isExactNumber(Number('0x20000000000001'), '0x20000000000001')).toBe(false)
})

function withPoint(digits: bigint, decimals: number): string {
  const text = digits.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
