import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutDocument } from './cut-document.ts'

test('a document is cut at its headings, which stay with what is below them', () => {
  const { title, chunks } = cutDocument(
    'Before.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n\n```\n# no heading\n```\n\n# C\n\nThree.',
  )
  expect(title).toBe('A')
  expect(chunks.map(({ heading, text }) => [heading, text.replace(/\s+/g, ' ')])).toEqual([
    ['', 'Before.'],
    ['A', 'One.'],
    ['A › B', 'Two. ``` # no heading ```'],
    ['C', 'Three.'],
  ])
})

test('no word of a document is lost, and no part is longer than a result may be', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/)
  const paragraph = fc.array(word, { minLength: 1, maxLength: 400 }).map(words => `${words.join(' ')}.`)
  fc.assert(
    fc.property(fc.array(paragraph, { maxLength: 12 }), paragraphs => {
      const { chunks } = cutDocument(paragraphs.join('\n\n'))
      const wordsOf = (text: string) => text.match(/[a-z]+/g) ?? []
      const kept = chunks.flatMap(({ text }) => wordsOf(text)).join('')
      expect(kept).toBe(wordsOf(paragraphs.join(' ')).join(''))
      for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(1_200)
    }),
    { numRuns: 50 },
  )
})

test('a document of any size has two thousand parts at most', () => {
  expect(cutDocument('# H\n\ntext\n\n'.repeat(5_000)).chunks).toHaveLength(2_000)
})
