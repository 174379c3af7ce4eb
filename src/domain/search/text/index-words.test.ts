import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexWords, queryWords } from './index-words.ts'

test.each([
  ['Crêpes & Cafés', ['crep', 'caf']],
  ['replace, replaced, replacing; run, running', ['replac', 'replac', 'replac', 'run', 'run']],
  ['Libraries, classes, boxes, status', ['library', 'class', 'box', 'status']],
  ['京都大学', ['京都', '都大', '大学', '学']],
  ['iPhone最新モデル', ['iphon', '最新', '新モ', 'モデ', 'デル', 'ル']],
  ['PostgreSQL 18 発売', ['postgresql', '18', '発売', '売']],
])('%s is kept as %j', (text, words) => {
  expect(indexWords(text)).toEqual(words)
})

test.each([
  ['What are the newest releases?', ['newest', 'releas']],
  ['北京大学是哪一年创办的', ['北京', '京大', '大学', '一年', '年创', '创办']],
  ['年假有几天?', ['年假', '假有']],
  ['大熊猫一天吃多少竹子', ['大熊', '熊猫', '猫一', '一天', '天吃', '竹子']],
  ['猫は?', ['猫*']],
])('%s looks for %j', (query, words) => {
  expect(queryWords(query, 32).map(({ word, isPrefix }) => `${word}${isPrefix ? '*' : ''}`)).toEqual(words)
})

test('whatever a query looks for is a word of a text that says the same, and holds nothing but letters and digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), text => {
      const known = indexWords(text)
      for (const { word, isPrefix } of queryWords(text, 32)) {
        expect(
          known.some(one => one === word || (isPrefix && one.startsWith(word))),
          word,
        ).toBe(true)
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}ー]+$/u)
      }
    }),
    { numRuns: 500 },
  )
})
