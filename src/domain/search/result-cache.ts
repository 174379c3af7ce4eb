import { createRecentCache, type RecentCache } from '../../lib/recent-cache.ts'
import type { SearchOutcome } from './types.ts'

type FoundOutcome = Extract<SearchOutcome, { readonly results: unknown }>

/** What was found lately. */
export function createResultCache(): RecentCache<FoundOutcome> {
  return createRecentCache({ entriesMax: 2_000, sizeMax: 33_554_432, sizeOf: bytesOf })
}

/** Texts are counted at two bytes a character, which is what they take at most. */
function bytesOf(key: string, { results }: FoundOutcome): number {
  const characters = results.reduce(
    (sum, { title, url, content, date }) => sum + title.length + url.length + content.length + (date?.length ?? 0),
    key.length,
  )
  return characters * 2
}
