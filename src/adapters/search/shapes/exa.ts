import { z } from 'zod'
import type { ProviderShape } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

const answer = z.object({
  results: soundEntries(
    z.object({
      url: z.string(),
      title: optionalText(),
      text: optionalText(),
      highlights: z.array(z.string()).nullish().catch(null),
      publishedDate: optionalText(),
    }),
  ),
})

/** As much of a page as a result shows. */
const textCharactersMax = 2_000

const dayMs = 86_400_000
const days = { day: 1, week: 7, month: 31, year: 366 } as const

/** Exa's search, with the passages that answer the query. How recent results are to be it takes as a date. */
export const exaShape: ProviderShape = {
  name: 'exa',
  usualAddress: 'https://api.exa.ai',
  resultsMax: 20,
  pagesMax: 1,
  encode: ({ query, wishes: { limit, freshness }, key, nowMs }) => ({
    path: '/search',
    headers: { 'x-api-key': key },
    body: {
      query,
      type: 'auto',
      numResults: limit,
      ...(freshness === null ? {} : { startPublishedDate: new Date(nowMs - days[freshness] * dayMs).toISOString() }),
      contents: { text: { maxCharacters: textCharactersMax }, highlights: true },
    },
  }),
  decode: json =>
    answer.parse(json).results.map(({ url, title, text, highlights, publishedDate: date }) => ({
      url,
      title,
      content: highlights?.length ? highlights.join(' … ') : text,
      date,
    })),
}
