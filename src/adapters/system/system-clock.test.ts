import { expect, test } from 'vitest'
import { cryptoRandom } from './crypto-random.ts'
import { systemClock } from './system-clock.ts'

test('the wall clock counts milliseconds since the epoch', () => {
  const before = Date.now()
  const now = systemClock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('the monotonic clock never goes back', () => {
  let last = systemClock.monotonic()
  for (let reading = 0; reading < 1_000; reading += 1) {
    const next = systemClock.monotonic()
    expect(next).toBeGreaterThanOrEqual(last)
    last = next
  }
})

test('random bytes have the length asked for, in hexadecimal twice as many characters', () => {
  expect(cryptoRandom.bytes(16)).toHaveLength(16)
  expect(cryptoRandom.hex(16)).toMatch(/^[0-9a-f]{32}$/)
})

test('random values do not repeat', () => {
  const values = Array.from({ length: 1_000 }, () => cryptoRandom.hex(16))
  expect(new Set(values).size).toBe(values.length)
})
