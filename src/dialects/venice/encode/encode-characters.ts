import type { JsonObject } from '../../../lib/json.ts'
import { uuidOfCharacter } from '../uuid.ts'

/** What this surface shows of a character; its prompts are the operator's. */
export interface CharacterFacts {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly modelId: string | null
  readonly tags: readonly string[]
  readonly adult: boolean
  readonly featured: boolean
  readonly webEnabled: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface CharacterNames {
  readonly author: string
  /** Shown for a character that was written for no model of its own; clients count on one. */
  readonly usualModelId: string | null
}

/** Nobody rates characters here. */
const stats = { averageRating: 0, imports: 0, ratingCount: 0, ratingSum: 0, userRating: null }

/** `GET /characters` (venice.md §9). */
export function encodeCharacters(characters: readonly CharacterFacts[], names: CharacterNames): JsonObject {
  return { object: 'list', data: characters.map(character => encode(character, names)) }
}

/** `GET /characters/{slug}`. */
export function encodeCharacter(character: CharacterFacts, names: CharacterNames): JsonObject {
  return { object: 'character', data: encode(character, names) }
}

function encode(character: CharacterFacts, { author, usualModelId }: CharacterNames): JsonObject {
  const { slug, name, description, tags, adult, featured, webEnabled, modelId } = character
  return {
    id: uuidOfCharacter(slug),
    slug,
    name,
    description: description === '' ? null : description,
    author,
    tags: [...tags],
    ...{ adult, featured, webEnabled },
    modelId: modelId ?? usualModelId,
    photoUrl: null,
    shareUrl: null,
    createdAt: new Date(character.createdAtMs).toISOString(),
    updatedAt: new Date(character.updatedAtMs).toISOString(),
    stats,
  }
}

export interface ReviewsPage {
  readonly page: number
  readonly pageSize: number
}

/** `GET /characters/{slug}/reviews`: a list in which nothing stands, with all that clients page by. */
export function encodeReviews({ page, pageSize }: ReviewsPage): JsonObject {
  return {
    object: 'list',
    data: [],
    pagination: { page, pageSize, total: 0, totalPages: 0 },
    summary: { averageRating: 0, totalReviews: 0 },
  }
}

export function reviewsHeaders({ page, pageSize }: ReviewsPage): Record<string, string> {
  return {
    'x-pagination-limit': String(pageSize),
    'x-pagination-page': String(page),
    'x-pagination-total': '0',
    'x-pagination-total-pages': '0',
  }
}
