import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTtlCache } from './ttl-cache.ts'

describe('createTtlCache', () => {
  it('gives a value until its time is over', () => {
    const cache = createTtlCache<string, number>({ entriesMax: 2, ttlMs: 100 })
    cache.set('a', 1, 1_000)
    expect(cache.get('a', 1_099)).toBe(1)
    expect(cache.get('a', 1_100)).toBeUndefined()
    expect(cache.size).toBe(0)
  })

  it('does not live longer by being used, only by being set', () => {
    const cache = createTtlCache<string, number>({ entriesMax: 2, ttlMs: 100 })
    cache.set('a', 1, 0)
    cache.get('a', 99)
    expect(cache.get('a', 100)).toBeUndefined()
    cache.set('a', 1, 0)
    cache.set('a', 2, 50)
    expect(cache.get('a', 149)).toBe(2)
  })

  it('drops what was not used for the longest time', () => {
    const cache = createTtlCache<string, number>({ entriesMax: 2, ttlMs: 100 })
    cache.set('a', 1, 0)
    cache.set('b', 2, 0)
    cache.get('a', 1)
    cache.set('c', 3, 2)
    expect(['a', 'b', 'c'].map(key => cache.get(key, 3))).toEqual([1, undefined, 3])
    cache.set('a', 4, 4)
    cache.set('d', 5, 5)
    expect(['a', 'c', 'd'].map(key => cache.get(key, 6))).toEqual([4, undefined, 5])
  })

  it('forgets what is deleted, and everything when cleared', () => {
    const cache = createTtlCache<string, number>({ entriesMax: 3, ttlMs: 100 })
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 0)
    cache.delete('a')
    expect([cache.get('a', 1), cache.get('b', 1)]).toEqual([undefined, 1])
    cache.clear()
    expect([cache.get('b', 1), cache.size]).toEqual([undefined, 0])
  })

  it('never holds more than its bound, and gives only what was last set and is fresh', () => {
    const step = fc.record({ key: fc.nat({ max: 5 }), sets: fc.boolean(), wait: fc.nat({ max: 20 }) })
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 1, max: 4 }), (steps, entriesMax) => {
        const cache = createTtlCache<number, number>({ entriesMax, ttlMs: 50 })
        const lastSet = new Map<number, { value: number; atMs: number }>()
        let nowMs = 0
        for (const [value, { key, sets, wait }] of steps.entries()) {
          nowMs += wait
          if (sets) {
            cache.set(key, value, nowMs)
            lastSet.set(key, { value, atMs: nowMs })
            expect(cache.get(key, nowMs)).toBe(value)
          } else {
            const found = cache.get(key, nowMs)
            if (found !== undefined) expect(found).toBe(lastSet.get(key)?.value)
            if (nowMs >= (lastSet.get(key)?.atMs ?? 0) + 50) expect(found).toBeUndefined()
          }
          expect(cache.size).toBeLessThanOrEqual(entriesMax)
        }
      }),
    )
  })
})
