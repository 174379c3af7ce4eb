import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, suggest } from './edit-distance.ts'

/** The definition, without any table. */
function plainDistance(left: string, right: string): number {
  if (left === '' || right === '') return left.length + right.length
  return Math.min(
    plainDistance(left.slice(1), right) + 1,
    plainDistance(left, right.slice(1)) + 1,
    plainDistance(left.slice(1), right.slice(1)) + (left[0] === right[0] ? 0 : 1),
  )
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })

describe('editDistance', () => {
  it('is the least number of letters to insert, remove or replace', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, right)).toBe(plainDistance(left, right))
      }),
    )
  })

  it('is infinite beyond its limit', () => {
    fc.assert(
      fc.property(word, word, fc.nat({ max: 5 }), (left, right, limit) => {
        const distance = plainDistance(left, right)
        expect(editDistance(left, right, limit)).toBe(distance > limit ? Number.POSITIVE_INFINITY : distance)
      }),
    )
  })

  it('does not compare words beyond 256 letters', () => {
    expect(editDistance('a'.repeat(256), 'a'.repeat(255))).toBe(1)
    expect(editDistance('a'.repeat(257), 'a'.repeat(257))).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('suggest', () => {
  const models = ['acme/large-70b', 'acme/large-7b', 'acme/flash']

  it.each([
    ['acme/larg-70b', 'acme/large-70b'],
    ['acme/large-7', 'acme/large-7b'],
    ['ACME/Flash', 'acme/flash'],
    ['flash', 'acme/flash'],
    ['flahs', null],
    ['flush', 'acme/flash'],
    ['something else', null],
    ['', null],
    ['x'.repeat(300), null],
  ])('answers %j with %j', (asked, expected) => {
    expect(suggest(asked, models)).toBe(expected)
  })

  it('takes the first of candidates that are equally near', () => {
    expect(suggest('cart', ['card', 'care'])).toBe('card')
    expect(suggest('care', ['card', 'care'])).toBe('care')
  })

  it('looks at no more than 1,000 candidates', () => {
    const others = Array.from({ length: 1_000 }, (_, index) => `unlike ${index}`)
    expect(suggest('wanted', [...others.slice(1), 'wanted'])).toBe('wanted')
    expect(suggest('wanted', [...others, 'wanted'])).toBeNull()
  })
})
