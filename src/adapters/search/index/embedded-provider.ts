import { chooseChunks } from '../../../domain/search/choose-chunks.ts'
import type { SearchIndex } from '../../../domain/search/search-index.ts'
import type { SearchProvider } from '../../../domain/search/search-provider.ts'

/** Several chunks of one document may come first; so many are looked at to have enough documents. */
const chunksPerResult = 4

/** The embedded index as a provider like any other. Its texts were cleaned when they were added. */
export function createEmbeddedProvider(index: SearchIndex): SearchProvider {
  return {
    name: 'embedded',
    async search(query, { limit }, signal) {
      try {
        const found = await index.find(query, limit * chunksPerResult)
        signal.throwIfAborted()
        const chosen = chooseChunks(found, limit)
        if (chosen.length === 0) return { failure: 'empty', retryAfterMs: null }
        const results = chosen.map(({ title, heading, text, address: url }) => ({
          title: heading === '' || heading === title ? title : `${title} – ${heading}`,
          url,
          content: text,
          date: null,
        }))
        return { results }
      } catch {
        signal.throwIfAborted()
        return { failure: 'down', retryAfterMs: null }
      }
    },
    isReady: async () => !(await index.isEmpty().catch(() => true)),
    close: () => index.close(),
  }
}
