import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fillerOfBytes, fillerOfTokens } from './filler.ts'
import { countTokens, splitTokens } from './tokens.ts'

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(' ', '\n', 'a', '😀', 'é', '\ud800'), fc.string({ minLength: 1 })),
})

it('tokens put together again are the text', () => {
  fc.assert(
    fc.property(text, text => {
      expect(splitTokens(text).join('')).toBe(text)
    }),
  )
})

it('there are as many tokens as are counted, each of 1 to 17 units', () => {
  fc.assert(
    fc.property(text, text => {
      const tokens = splitTokens(text)
      expect(countTokens(text)).toBe(tokens.length)
      for (const token of tokens) expect(token.length).toBeGreaterThan(0)
      for (const token of tokens) expect(token.length).toBeLessThanOrEqual(17)
    }),
  )
})

it('a token is a word with the blank before it, and no character is cut in two', () => {
  expect(splitTokens('two words\nmore')).toEqual(['two', ' words', '\nmore'])
  expect(splitTokens('x'.repeat(20))).toEqual(['x'.repeat(16), 'x'.repeat(4)])
  expect(splitTokens(`${'x'.repeat(15)}😀y`)).toEqual([`${'x'.repeat(15)}😀`, 'y'])
})

it('filler has exactly the tokens, or the bytes, that are wanted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), size => {
      expect(countTokens(fillerOfTokens(size))).toBe(size)
      expect(Buffer.byteLength(fillerOfBytes(size))).toBe(size)
    }),
  )
  expect(countTokens(fillerOfBytes(250_000))).toBeLessThan(16_384)
})
