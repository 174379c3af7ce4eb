import { z } from 'zod'
import type { ProviderShape } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

const answer = z.object({
  searchParameters: z.looseObject({}),
  // Absent where nothing was found.
  organic: soundEntries(
    z.object({ link: z.string(), title: optionalText(), snippet: optionalText(), date: optionalText() }),
  ).optional(),
})

const freshnesses = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const

/** Google's results by way of Serper. */
export const serperShape: ProviderShape = {
  name: 'serper',
  usualAddress: 'https://google.serper.dev',
  resultsMax: 20,
  pagesMax: 1,
  encode: ({ query: q, wishes: { limit, language, freshness }, key }) => ({
    path: '/search',
    headers: { 'x-api-key': key },
    body: {
      q,
      num: limit,
      ...(language === null ? {} : { hl: language }),
      ...(freshness === null ? {} : { tbs: freshnesses[freshness] }),
    },
  }),
  decode: json =>
    (answer.parse(json).organic ?? []).map(({ link: url, title, snippet: content, date }) => ({
      url,
      title,
      content,
      date,
    })),
}
