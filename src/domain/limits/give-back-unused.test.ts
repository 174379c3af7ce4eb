import { expect, it } from 'vitest'
import { giveBackUnused } from './give-back-unused.ts'

const at = 1_790_000_000_000

it('returns the tokens that were taken and not used', () => {
  expect(giveBackUnused({ level: 0, atMs: at }, 600, { taken: 500, used: 120, nowMs: at })?.level).toBe(380)
})

it('counts a request that is larger than the bucket as one that emptied it', () => {
  expect(giveBackUnused({ level: 0, atMs: at }, 600, { taken: 5_000, used: 120, nowMs: at })?.level).toBe(480)
})

it('takes nothing more when a request used more than was taken', () => {
  expect(giveBackUnused({ level: 10, atMs: at }, 600, { taken: 100, used: 900, nowMs: at })?.level).toBe(10)
})

it('keeps no state where there is no limit', () => {
  expect(giveBackUnused({ level: 10, atMs: at }, 'unlimited', { taken: 1, used: 0, nowMs: at })).toBeNull()
})
