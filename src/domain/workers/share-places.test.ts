import { describe, expect, it } from 'vitest'
import { sharePlaces } from './share-places.ts'

function sharesOf(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => sharePlaces(total, { place: index + 1, count }))
}

describe('the places of a node, shared out over workers', () => {
  it.each([
    [64, 4, [16, 16, 16, 16]],
    [10, 4, [3, 3, 2, 2]],
    [4, 4, [1, 1, 1, 1]],
    [7, 1, [7]],
  ])('%i for %i workers are all given, and no more', (total, count, shares) => {
    expect(sharesOf(total, count)).toEqual(shares)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total)
  })

  it('leave one for each worker where there are fewer than workers', () => {
    expect(sharesOf(2, 4)).toEqual([1, 1, 1, 1])
  })

  it('stay without a bound where there is none', () => {
    expect(sharePlaces(Number.MAX_SAFE_INTEGER, { place: 2, count: 4 })).toBeGreaterThan(2 ** 50)
  })
})
