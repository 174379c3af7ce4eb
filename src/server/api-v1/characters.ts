import { decodeCharactersQuery, decodeReviewsQuery } from '../../dialects/venice/decode/decode-characters.ts'
import {
  type CharacterNames,
  encodeCharacter,
  encodeCharacters,
  encodeReviews,
  reviewsHeaders,
} from '../../dialects/venice/encode/encode-characters.ts'
import { uuidOfCharacter } from '../../dialects/venice/uuid.ts'
import { selectCharacters } from '../../domain/characters/select-characters.ts'
import type { Character } from '../../domain/characters/types.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import type { KeyRoutes } from './key-routes.ts'

type Dependencies = Pick<ServerDependencies, 'characters' | 'catalog' | 'settings'>

/** `/api/v1/characters*`: who a model can play (venice.md §9). */
export function registerCharacters({ forAny }: KeyRoutes, dependencies: Dependencies): void {
  const { characters, catalog } = dependencies
  const isPro = (modelId: string) => catalog.list().some(({ id, proOnly }) => id === modelId && proOnly)

  /** A slug comes before an id that looks like it. */
  function find(slugOrId: string): Character {
    const byId = characters.list().find(({ slug }) => uuidOfCharacter(slug) === slugOrId.toLowerCase())
    return characters.find(characters.has(slugOrId) ? slugOrId : (byId?.slug ?? slugOrId))
  }

  forAny('GET', '/api/v1/characters', (_, { request }) => {
    const page = selectCharacters(characters.list(), decodeCharactersQuery(request.query), { isPro })
    return encodeCharacters(page, namesOf(dependencies))
  })
  forAny('GET', '/api/v1/characters/:slug', (_, { request }) =>
    encodeCharacter(find(slugOf(request.params)), namesOf(dependencies)),
  )
  forAny('GET', '/api/v1/characters/:slug/reviews', (_, { request, reply }) => {
    find(slugOf(request.params))
    const page = decodeReviewsQuery(request.query)
    reply.headers(reviewsHeaders(page))
    return encodeReviews(page)
  })
}

function slugOf(params: unknown): string {
  return (params as { readonly slug: string }).slug
}

function namesOf({ catalog, settings }: Dependencies): CharacterNames {
  const models = catalog.list().filter(({ type }) => type === 'text')
  const usual = models.find(({ traits }) => traits.includes('default')) ?? models[0]
  return { author: settings().ownedBy, usualModelId: usual?.id ?? null }
}
