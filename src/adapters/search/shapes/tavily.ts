import { z } from 'zod'
import type { ProviderShape } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

const answer = z.object({
  results: soundEntries(
    z.object({ url: z.string(), title: optionalText(), content: optionalText(), published_date: optionalText() }),
  ),
})

/** Tavily's search, at its cheaper depth. */
export const tavilyShape: ProviderShape = {
  name: 'tavily',
  usualAddress: 'https://api.tavily.com',
  resultsMax: 20,
  pagesMax: 1,
  encode: ({ query, wishes: { limit, freshness }, key }) => ({
    path: '/search',
    headers: { authorization: `Bearer ${key}` },
    body: {
      query,
      max_results: limit,
      search_depth: 'basic',
      include_answer: false,
      include_raw_content: false,
      ...(freshness === null ? {} : { time_range: freshness }),
    },
  }),
  decode: json =>
    answer.parse(json).results.map(({ url, title, content, published_date: date }) => ({ url, title, content, date })),
}
