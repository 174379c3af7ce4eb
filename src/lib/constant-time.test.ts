import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalsConstantTime } from './constant-time.ts'

describe('equalsConstantTime', () => {
  it('is equality, for text and for bytes of any length', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(equalsConstantTime(left, right)).toBe(left === right)
        expect(equalsConstantTime(left, left)).toBe(true)
        expect(equalsConstantTime(Buffer.from(left), left)).toBe(true)
      }),
    )
  })

  it('tells a prefix from the whole', () => {
    expect(equalsConstantTime('secret', 'secre')).toBe(false)
    expect(equalsConstantTime('', 'a')).toBe(false)
    expect(equalsConstantTime(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false)
  })
})
