import type { JsonObject } from '../../../lib/json.ts'

interface FoundPage {
  readonly title: string
  readonly url: string
  readonly content: string
  readonly date: string | null
}

/** Answer of `POST /augment/search`; a page without a date has an empty one (venice.md §3). */
export function encodeSearch(query: string, results: readonly FoundPage[]): JsonObject {
  return { query, results: results.map(({ title, url, content, date }) => ({ title, url, content, date: date ?? '' })) }
}
