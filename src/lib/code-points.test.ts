import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCodePoints } from './code-points.ts'

describe('countCodePoints', () => {
  it('counts what iterating over the text counts, lone surrogates included', () => {
    const unit = fc.constantFrom('a', 'é', '漢', '😀', '\ud83d', '\ude00')
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit })), text => {
        expect(countCodePoints(text)).toBe([...text].length)
      }),
    )
  })

  it.each([
    ['', 0],
    ['plain', 5],
    ['naïve', 5],
    ['漢字', 2],
    ['😀', 1],
    ['a😀b', 3],
    ['\ud83d\ud83d\ude00\ude00', 3],
  ])('counts %j as %i', (text, count) => {
    expect(countCodePoints(text)).toBe(count)
  })
})
