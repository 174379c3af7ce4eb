import { expect, it } from 'vitest'
import { createRecentCache } from './recent-cache.ts'

const create = () =>
  createRecentCache<string>({ entriesMax: 3, sizeMax: 10, sizeOf: (key, value) => key.length + value.length })

it('lets go of what was used least lately when there are too many', () => {
  const cache = create()
  for (const key of ['a', 'b', 'c']) cache.set(key, 'v', 9)
  expect(cache.get('a', 0)).toBe('v')
  cache.set('d', 'v', 9)
  expect(['a', 'b', 'c', 'd'].map(key => cache.get(key, 0))).toEqual(['v', undefined, 'v', 'v'])
})

it('lets go of as much as a large one takes, and keeps none that is larger than all, nor makes room for it', () => {
  const cache = create()
  cache.set('a', 'vvvv', 9)
  cache.set('b', 'vvvvvv', 9)
  expect([cache.get('a', 0), cache.get('b', 0)]).toEqual([undefined, 'vvvvvv'])
  cache.set('c', 'v'.repeat(10), 9)
  expect([cache.get('b', 0), cache.get('c', 0)]).toEqual(['vvvvvv', undefined])
})

it('keeps nothing beyond its time, nor when it is cleared, and counts one that is replaced once', () => {
  const cache = create()
  for (let count = 0; count < 5; count += 1) cache.set('a', 'vvvv', 9)
  cache.set('b', 'vvvv', 5)
  expect([cache.get('a', 8), cache.get('b', 5)]).toEqual(['vvvv', undefined])
  cache.clear()
  expect(cache.get('a', 0)).toBeUndefined()
})
