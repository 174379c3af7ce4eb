import { z } from 'zod'
import { type ProviderShape, pathWith } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

const answer = z.object({
  results: soundEntries(z.object({ url: z.string(), title: optionalText(), description: optionalText() })),
})

/** Marginalia's search of the small web. */
export const marginaliaShape: ProviderShape = {
  name: 'marginalia',
  usualAddress: 'https://api2.marginalia-search.com',
  resultsMax: 20,
  pagesMax: 1,
  encode: ({ query, wishes: { limit }, key }) => ({
    path: pathWith('/search', { query, count: limit }),
    headers: { 'api-key': key },
    body: null,
  }),
  decode: json =>
    answer.parse(json).results.map(({ url, title, description: content }) => ({ url, title, content, date: null })),
}
