import type { FoundChunk } from './search-index.ts'

/** Less of the query's words than this makes a text that merely shares a word with it. */
const shareMin = 0.5

/**
 * One chunk per document, the best that was found, in the order in which they were found; only those that hold enough of
 * what was asked for: an index has something for nearly every word, and the wrong page is worse than none.
 */
export function chooseChunks(found: readonly FoundChunk[], limit: number): readonly FoundChunk[] {
  const chosen = new Map<string, FoundChunk>()
  for (const chunk of found) {
    if (chosen.size >= limit) break
    if (chunk.share >= shareMin && !chosen.has(chunk.address)) chosen.set(chunk.address, chunk)
  }
  return [...chosen.values()]
}
