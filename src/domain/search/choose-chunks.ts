import type { FoundChunk } from './search-index.ts'
import { indexWords, type QueryWord } from './text/index-words.ts'

/** Fewer of the query's words than this make a text that merely shares a word with it. */
const sharedPartMin = 0.5

/**
 * One chunk per document, the best that was found, in the order in which they were found; only those that hold enough of
 * what was asked for: an index has something for nearly every word, and the wrong page is worse than none.
 */
export function chooseChunks(
  found: readonly FoundChunk[],
  words: readonly QueryWord[],
  limit: number,
): readonly FoundChunk[] {
  const chosen = new Map<string, FoundChunk>()
  for (const chunk of found) {
    if (chosen.size >= limit) break
    if (!chosen.has(chunk.address) && isAboutIt(chunk, words)) chosen.set(chunk.address, chunk)
  }
  return [...chosen.values()]
}

function isAboutIt({ title, heading, text }: FoundChunk, words: readonly QueryWord[]): boolean {
  const known = new Set(indexWords(`${title} ${heading} ${text}`))
  const has = ({ word, isPrefix }: QueryWord) =>
    known.has(word) || (isPrefix && [...known].some(one => one.startsWith(word)))
  return words.filter(has).length >= Math.ceil(words.length * sharedPartMin)
}
