import fc from 'fast-check'
import { it } from 'vitest'
import { cutText } from './cut-text.ts'

const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2
const mark = cutText('x'.repeat(100), 0)

it('a text that fits stays whole, and another is the longest beginning that fits with the mark behind it', () => {
  const units = fc.string({ unit: fc.constantFrom('a', '"', '\n', 'ä', '一', '🙂', '\u0001'), maxLength: 300 })
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 400 }), (text, bytesMax) => {
      const cut = cutText(text, bytesMax)
      if (bytesOf(text) <= bytesMax) return cut === text
      const beginning = cut.slice(0, -mark.length)
      const [next = ''] = text.slice(beginning.length)
      const isLongest = bytesOf(beginning + next) + bytesOf(mark) > bytesMax || next === '\ud83d'
      const fits = beginning === '' || bytesOf(cut) <= bytesMax
      return (
        cut.endsWith(mark) && text.startsWith(beginning) && !/[\ud800-\udbff]$/.test(beginning) && fits && isLongest
      )
    }),
  )
})
