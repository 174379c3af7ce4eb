import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockSkewMaxMs, giveBack, millisecondsUntil, refill, type TokenBucket, take } from './token-bucket.ts'

const perMinute = fc.integer({ min: 1, max: 1_000_000 })
const start = 1_790_000_000_000

describe('a token bucket', () => {
  it('is full when nobody used it yet', () => {
    expect(refill(null, 60, start)).toEqual({ level: 60, atMs: start })
  })

  it('refills a sixtieth of its limit each second, up to the limit', () => {
    const empty = { level: 0, atMs: start }
    expect(refill(empty, 120, start + 1_500).level).toBe(3)
    expect(refill(empty, 120, start + 3_600_000).level).toBe(120)
  })

  it('passes nothing at limit 0, however long one waits', () => {
    const bucket = refill(refill(null, 0, start), 0, start + 86_400_000)
    expect(take(bucket, 1)).toBeNull()
    expect(millisecondsUntil(bucket, 1, 0)).toBe(Number.POSITIVE_INFINITY)
  })

  it('shrinks to a limit that was lowered since', () => {
    expect(refill({ level: 500, atMs: start }, 50, start).level).toBe(50)
  })

  it('takes nothing when the amount is not there', () => {
    expect(take({ level: 2, atMs: start }, 3)).toBeNull()
    expect(take({ level: 3, atMs: start }, 3)).toEqual({ level: 0, atMs: start })
  })

  it('gives back at most up to its capacity, and ignores a negative amount', () => {
    expect(giveBack({ level: 5, atMs: start }, 3, 60).level).toBe(8)
    expect(giveBack({ level: 59, atMs: start }, 30, 60).level).toBe(60)
    expect(giveBack({ level: 5, atMs: start }, -3, 60).level).toBe(5)
  })

  it('adds nothing when the clock goes back, and never refills the same second twice', () => {
    const later = refill({ level: 0, atMs: start }, 60, start + 10_000)
    const back = refill(later, 60, start)
    expect(back.level).toBe(10)
    expect(refill(back, 60, start + 10_000).level).toBe(10)
  })

  it('does not stand still until a broken clock is caught up with', () => {
    const future: TokenBucket = { level: 0, atMs: start + 10 * clockSkewMaxMs }
    const adopted = refill(future, 60, start)
    expect(adopted).toEqual({ level: 0, atMs: start })
    expect(refill(adopted, 60, start + 1_000).level).toBe(1)
  })

  it('has the amount after exactly the time it names', () => {
    fc.assert(
      fc.property(perMinute, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (limit, fill, seed) => {
        const bucket = { level: limit * fill, atMs: start }
        const amount = 1 + (seed % limit)
        const waitMs = millisecondsUntil(bucket, amount, limit)
        expect(take(refill(bucket, limit, start + waitMs), amount)).not.toBeNull()
        if (waitMs > 1) expect(take(refill(bucket, limit, start + waitMs - 2), amount)).toBeNull()
      }),
    )
  })

  it('passes, over any time, at most its capacity and what that time refills', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: -30_000, max: 30_000 }),
      amount: fc.integer({ min: 1, max: 50 }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
        let bucket = refill(null, limit, start)
        let now = start
        let latest = start
        let passed = 0
        for (const { waitMs, amount } of steps) {
          now = Math.max(now + waitMs, latest - clockSkewMaxMs)
          latest = Math.max(latest, now)
          bucket = refill(bucket, limit, now)
          const after = take(bucket, amount)
          if (after !== null) passed += amount
          bucket = after ?? bucket
          expect(bucket.level).toBeGreaterThanOrEqual(0)
          expect(bucket.level).toBeLessThanOrEqual(limit)
        }
        expect(passed).toBeLessThanOrEqual(limit + ((latest - start) * limit) / 60_000 + 0.001)
      }),
    )
  })
})
