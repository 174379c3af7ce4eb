import { z } from 'zod'
import { checkFields } from './check-fields.ts'
import { queryFlag, queryNumber, queryText, queryWord, queryWords } from './query-fields.ts'

const wordsMax = 20
const wordCharactersMax = 100
const modelCharactersMax = 200
const searchCharactersMax = 200
const pageMax = 100
const pageUsual = 50
const reviewsUsual = 20
/** No list is as long; it keeps numbers exact. */
const offsetMax = 1_000_000_000

const orders = [
  'featured',
  'highestRating',
  'highlyRated',
  'highlyRatedAndRecent',
  'imports',
  'mostRecent',
  'ratingCount',
] as const

export const charactersQuery = z.object({
  categories: queryWords(wordsMax, wordCharactersMax),
  tags: queryWords(wordsMax, wordCharactersMax),
  modelId: queryWords(wordsMax, modelCharactersMax),
  isAdult: queryFlag(),
  isPro: queryFlag(),
  isWebEnabled: queryFlag(),
  search: queryText(searchCharactersMax),
  sortBy: queryWord(orders),
  sortOrder: queryWord(['asc', 'desc']),
  limit: queryNumber(1, pageMax),
  offset: queryNumber(0, offsetMax),
})

/** The query of `GET /characters` (venice.md §9). @throws GatewayError invalid_parameters */
export function decodeCharactersQuery(query: unknown) {
  const fields = checkFields(charactersQuery, query)
  return {
    search: fields.search ?? null,
    tags: fields.tags ?? [],
    categories: fields.categories ?? [],
    modelIds: fields.modelId ?? [],
    adult: fields.isAdult ?? null,
    pro: fields.isPro ?? null,
    webEnabled: fields.isWebEnabled ?? null,
    sortBy: fields.sortBy ?? null,
    ascending: fields.sortOrder === 'asc',
    limit: fields.limit ?? pageUsual,
    offset: fields.offset ?? 0,
  }
}

export const reviewsQuery = z.object({ page: queryNumber(1, offsetMax), pageSize: queryNumber(1, pageMax) })

/** The query of `GET /characters/{slug}/reviews`. @throws GatewayError invalid_parameters */
export function decodeReviewsQuery(query: unknown) {
  const { page = 1, pageSize = reviewsUsual } = checkFields(reviewsQuery, query)
  return { page, pageSize }
}
