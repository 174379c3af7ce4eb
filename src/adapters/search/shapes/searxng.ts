import { z } from 'zod'
import { type ProviderShape, pathWith } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

const answer = z.object({
  results: soundEntries(
    z.object({ url: z.string(), title: optionalText(), content: optionalText(), publishedDate: optionalText() }),
  ),
})

/**
 * SearXNG's JSON API. It answers 403 where `json` is missing under `search.formats` of its settings, and takes no number
 * of results: what its engines give for a page is often about ten.
 */
export const searxngShape: ProviderShape = {
  name: 'searxng',
  usualAddress: 'http://127.0.0.1:8888',
  resultsMax: 20,
  pagesMax: 3,
  encode: ({ query: q, wishes: { language, freshness }, page }) => ({
    path: pathWith('/search', {
      q,
      format: 'json',
      pageno: page,
      language,
      // It has no week; a month holds it.
      time_range: freshness === 'week' ? 'month' : freshness,
    }),
    headers: {},
    body: null,
  }),
  decode: json =>
    answer.parse(json).results.map(({ url, title, content, publishedDate: date }) => ({ url, title, content, date })),
}
