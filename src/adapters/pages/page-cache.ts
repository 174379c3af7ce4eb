import type { ReadPage } from '../../core/page-reader.ts'
import { createRecentCache, type RecentCache } from '../../lib/recent-cache.ts'

/** Pages that were read lately. Texts are counted at two bytes a character, which is what they take at most. */
export function createPageCache(): RecentCache<ReadPage> {
  return createRecentCache({
    entriesMax: 500,
    sizeMax: 33_554_432,
    sizeOf: (key, { title, url, content }) => 2 * (key.length + title.length + url.length + content.length),
  })
}
