import { z } from 'zod'
import { type ProviderShape, pathWith } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

/** `t` is 0 for a result; other entries are related searches and the like. */
const answer = z.object({
  data: soundEntries(
    z.object({
      t: z.literal(0),
      url: z.string(),
      title: optionalText(),
      snippet: optionalText(),
      published: optionalText(),
    }),
  ),
})

/** Kagi's search. */
export const kagiShape: ProviderShape = {
  name: 'kagi',
  usualAddress: 'https://kagi.com',
  resultsMax: 20,
  pagesMax: 1,
  encode: ({ query: q, wishes: { limit }, key }) => ({
    path: pathWith('/api/v0/search', { q, limit }),
    headers: { authorization: `Bot ${key}` },
    body: null,
  }),
  decode: json =>
    answer.parse(json).data.map(({ url, title, snippet: content, published: date }) => ({ url, title, content, date })),
}
