import { z } from 'zod'
import { type ProviderShape, pathWith } from '../provider-shape.ts'
import { optionalText, soundEntries } from './fields.ts'

const answer = z.object({
  // Absent where nothing was found.
  web: z
    .object({
      results: soundEntries(
        z.object({
          url: z.string(),
          title: optionalText(),
          description: optionalText(),
          page_age: optionalText(),
          age: optionalText(),
        }),
      ),
    })
    .nullish(),
  type: z.literal('search'),
})

const freshnesses = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Languages that Brave names otherwise than ISO 639-1; with any other unknown one it refuses the whole question. */
const languages: Readonly<Record<string, string>> = { zh: 'zh-hans', ja: 'jp', pt: 'pt-pt' }
const known: ReadonlySet<string> = new Set(
  'ar bn bg ca hr cs da nl en et fi fr gl de gu he hi hu is it kn ko lv lt ms ml mr pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
    ' ',
  ),
)

/** Brave's web search. */
export const braveShape: ProviderShape = {
  name: 'brave',
  usualAddress: 'https://api.search.brave.com',
  resultsMax: 20,
  pagesMax: 1,
  encode: ({ query: q, wishes: { limit, language, freshness }, key }) => ({
    path: pathWith('/res/v1/web/search', {
      q,
      count: limit,
      search_lang: language === null ? null : (languages[language] ?? (known.has(language) ? language : null)),
      freshness: freshness === null ? null : freshnesses[freshness],
    }),
    headers: { 'x-subscription-token': key },
    body: null,
  }),
  decode: json =>
    (answer.parse(json).web?.results ?? []).map(({ url, title, description, page_age, age }) => ({
      url,
      title,
      content: description,
      date: page_age ?? age,
    })),
}
