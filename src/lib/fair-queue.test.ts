import { describe, expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

describe('a fair queue', () => {
  it('lets lanes take turns, and keeps the order within each', () => {
    const queue = createFairQueue<string>({ laneItemsMax: 10, itemsMax: 100 })
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0] ?? '', item)
    expect(Array.from({ length: 7 }, () => queue.take())).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined])
    expect(queue.size).toBe(0)
  })

  it('refuses what is more than a lane or all of them may hold', () => {
    const queue = createFairQueue<number>({ laneItemsMax: 2, itemsMax: 3 })
    expect([queue.push('a', 1), queue.push('a', 2), queue.push('a', 3)]).toEqual([true, true, false])
    expect([queue.push('b', 4), queue.push('c', 5)]).toEqual([true, false])
    queue.take()
    expect(queue.push('c', 5)).toBe(true)
  })

  it('forgets what does not wait any longer', () => {
    const queue = createFairQueue<number>({ laneItemsMax: 2, itemsMax: 2 })
    queue.push('a', 1)
    queue.push('a', 2)
    queue.remove('a', 1)
    queue.remove('a', 7)
    queue.remove('b', 1)
    expect([queue.size, queue.take(), queue.take()]).toEqual([1, 2, undefined])
  })
})
