import { expect, it } from 'vitest'
import {
  fromDbAmount,
  fromDbAmountOrNull,
  fromDbBytes,
  fromDbFlag,
  fromDbNumber,
  fromDbNumberOrNull,
  fromDbWord,
  toDbFlag,
} from './mapping.ts'

const largest = 2n ** 63n - 1n

it.each([largest, 9_223_372_036_854_775_807n.toString(), -largest])('reads the amount %s exactly', value => {
  expect(fromDbAmount(value)).toBe(BigInt(value))
})

it('reads integers of every driver as numbers, and refuses what a number cannot hold', () => {
  expect([12n, 12, '12'].map(fromDbNumber)).toEqual([12, 12, 12])
  expect(() => fromDbNumber(largest)).toThrow(RangeError)
  expect(() => fromDbNumber('9007199254740993')).toThrow(RangeError)
})

it('keeps null apart from zero', () => {
  expect([fromDbAmountOrNull(null), fromDbNumberOrNull(null)]).toEqual([null, null])
  expect([fromDbAmountOrNull(0n), fromDbNumberOrNull(0n)]).toEqual([0n, 0])
})

it('reads flags and bytes of every driver', () => {
  expect([1n, 1, '1', 0n].map(fromDbFlag)).toEqual([true, true, true, false])
  expect([toDbFlag(true), toDbFlag(false)]).toEqual([1, 0])
  const bytes = Uint8Array.from([0, 1, 2, 3]).subarray(1, 3)
  expect(fromDbBytes(bytes)).toEqual(Buffer.from([1, 2]))
  expect(fromDbBytes(Uint8Array.from([1, 2]).buffer)).toEqual(Buffer.from([1, 2]))
})

it('refuses words that it does not know', () => {
  expect(fromDbWord('soft', ['soft', 'strict'])).toBe('soft')
  expect(() => fromDbWord('hard', ['soft', 'strict'])).toThrow(RangeError)
})
