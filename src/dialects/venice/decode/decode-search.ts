import { z } from 'zod'
import { checkFields } from './check-fields.ts'

const resultsDefault = 10

/** Body of `POST /augment/search` (venice.md §3). */
export const searchBody = z.strictObject({
  query: z.string().min(1).max(400).describe('What to search for.'),
  limit: z.int().min(1).max(20).nullish().describe(`Results at most; ${resultsDefault} where nothing is said.`),
  search_provider: z
    .enum(['brave', 'google'])
    .nullish()
    .describe('Who is asked first, where the gateway has it: `brave` gives up to 10 results, `google` up to 5.'),
})

/** What the surface's names of providers are called in the configuration, and the most that each gives. */
const providers = { brave: { name: 'brave', limit: 10 }, google: { name: 'serper', limit: 5 } } as const

export interface WantedSearch {
  readonly query: string
  readonly limit: number
  readonly provider: string | null
}

/** @throws GatewayError invalid_parameters */
export function decodeSearch(body: unknown): WantedSearch {
  const { query, limit, search_provider } = checkFields(searchBody, body)
  const wanted = limit ?? resultsDefault
  if (search_provider === undefined || search_provider === null) return { query, limit: wanted, provider: null }
  const provider = providers[search_provider]
  return { query, limit: Math.min(wanted, provider.limit), provider: provider.name }
}
