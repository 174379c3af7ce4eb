import type { ReadPage } from '../../core/page-reader.ts'
import { createSharedCache, type SharedCache } from '../../lib/shared-cache.ts'

/** Pages that were read lately, of which one account has at most a quarter. Texts are counted at two bytes a character, which is what they take at most. */
export function createPageCache(): SharedCache<ReadPage> {
  return createSharedCache({
    entriesMax: 500,
    sizeMax: 33_554_432,
    ownersMin: 4,
    sizeOf: (key, { title, url, content }) => 2 * (key.length + title.length + url.length + content.length),
  })
}
