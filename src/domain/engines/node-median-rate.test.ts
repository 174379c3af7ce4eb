import { describe, expect, it } from 'vitest'
import { createMedianRate } from './node-median-rate.ts'

function medianOf(...rates: number[]): number | null {
  const rate = createMedianRate()
  for (const value of rates) rate.add(value)
  return rate.median()
}

describe('the median rate of a node', () => {
  it('is unknown before the first answer, and after answers that say nothing', () => {
    expect(medianOf()).toBeNull()
    expect(medianOf(Number.NaN, Number.POSITIVE_INFINITY, 0, -3)).toBeNull()
  })

  it('is the middle one, or the mean of the two in the middle', () => {
    expect(medianOf(7)).toBe(7)
    expect(medianOf(100, 1, 9)).toBe(9)
    expect(medianOf(1, 100, 9, 11)).toBe(10)
  })

  it('is not moved by one answer that was out of the ordinary', () => {
    expect(medianOf(40, 41, 39, 1_000_000)).toBe(40.5)
  })

  it('looks back on the latest 64 answers', () => {
    expect(medianOf(...Array<number>(200).fill(1), ...Array<number>(64).fill(50))).toBe(50)
  })
})
