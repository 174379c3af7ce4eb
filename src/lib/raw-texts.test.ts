import { expect, it } from 'vitest'
import { RawTexts } from './raw-texts.ts'

it('texts stand where their marks stood', () => {
  const texts = new RawTexts('abc')
  const [first, second] = [texts.add(Buffer.from('data:,AAAA')), texts.add(Buffer.from('BBBB'))]
  const value = { é: [second, { url: first }, 'raw-abd-0.'], again: first }
  const json = Buffer.concat(texts.encode(value)).toString()
  expect(JSON.parse(json)).toEqual({ é: ['BBBB', { url: 'data:,AAAA' }, 'raw-abd-0.'], again: 'data:,AAAA' })
})

it('a value without marks is its JSON', () => {
  const value = { a: ['x "y" \ud800', 1e21, null] }
  expect(Buffer.concat(new RawTexts('abc').encode(value)).toString()).toBe(JSON.stringify(value))
  expect(Buffer.concat(new RawTexts('').encode('raw--0.')).toString()).toBe('"raw--0."')
})

it('a mark that stands for nothing is a fault', () => {
  const texts = new RawTexts('abc')
  texts.add(Buffer.from('AAAA'))
  expect(() => texts.encode('raw-abc-7.')).toThrow(RangeError)
})
