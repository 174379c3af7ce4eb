import type { Chunk } from '../../../../domain/search/text/cut-document.ts'
import { indexWords, type QueryWord } from '../../../../domain/search/text/index-words.ts'

/** What a tsvector can hold of positions, and of one word. */
const positionMax = 16_383

/** A chunk's words as a tsvector is written: each with its places and the weight of its field. */
export function wordVector(
  title: string,
  { heading, text }: Chunk,
): { readonly vector: string; readonly count: number } {
  const fields = [
    ['A', indexWords(title)],
    ['B', indexWords(heading)],
    ['D', indexWords(text)],
  ] as const
  const entries = fields.flatMap(([mark, words]) => words.map(word => ({ word, mark })))
  const vector = entries.map(({ word, mark }, at) => `'${word}':${Math.min(at + 1, positionMax)}${mark}`).join(' ')
  return { vector, count: entries.length }
}

/** A word holds letters, digits and marks only, so that it needs no escaping. */
export function wordPattern({ word, isPrefix }: QueryWord): string {
  return `'${word}'${isPrefix ? ':*' : ''}`
}
