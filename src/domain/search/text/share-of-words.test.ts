import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexWords, type QueryWord, queryWords } from './index-words.ts'
import { shareOfWords } from './share-of-words.ts'

const wordsMax = 32
/** Scripts with and without spaces, beside signs, accents, wide forms and characters of two units. */
const characters = [...'ab zé1Ⅸﬁ 京都大学の设立ー〆〇㈱ｱカ゛が가แมว กิ𠮷𩸽\u3099\u0301\u{e0100}·、!']
const text = fc.oneof(
  fc.array(fc.constantFrom(...characters), { maxLength: 40 }).map(parts => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** By the words that an index keeps of the text. */
function shareByIndex(words: readonly QueryWord[], of: string): number {
  const known = indexWords(of)
  const isHeld = ({ word, isPrefix }: QueryWord) =>
    known.some(one => one === word || (isPrefix && one.startsWith(word)))
  return words.length === 0 ? 0 : words.filter(isHeld).length / words.length
}

test.each([
  ['PostgreSQL release', 'The newest releases of PostgreSQL', 1],
  ['PostgreSQL release', 'A release of steam', 0.5],
  ['京都大学', '京都の大学', 2 / 3],
  ['猫', '大熊猫一天', 1],
  ['iPhone最新', '最新のモデル', 0.5],
  ['!!!', 'anything', 0],
])('of "%s", "%s" holds %d', (query, of, share) => {
  expect(shareOfWords(queryWords(query, wordsMax), of)).toBe(share)
})

test('a text holds exactly those words of a query that an index keeps of it', () => {
  fc.assert(
    fc.property(text, text, fc.boolean(), (query, other, isWithin) => {
      const words = queryWords(query, wordsMax)
      const of = isWithin ? `${other}${query}` : other
      expect(shareOfWords(words, of)).toBe(shareByIndex(words, of))
    }),
    { numRuns: 2_000 },
  )
})
