import { createSharedCache, type SharedCache } from '../../lib/shared-cache.ts'
import type { SearchOutcome } from './types.ts'

type FoundOutcome = Extract<SearchOutcome, { readonly results: unknown }>

/** What was found lately, of which one account has at most a quarter. */
export function createResultCache(): SharedCache<FoundOutcome> {
  return createSharedCache({ entriesMax: 2_000, sizeMax: 33_554_432, ownersMin: 4, sizeOf: bytesOf })
}

/** Texts are counted at two bytes a character, which is what they take at most. */
function bytesOf(key: string, { results }: FoundOutcome): number {
  const characters = results.reduce(
    (sum, { title, url, content, date }) => sum + title.length + url.length + content.length + (date?.length ?? 0),
    key.length,
  )
  return characters * 2
}
