import { z } from 'zod'

/** What `encode-characters.ts` writes (venice.md §9). */

const stats = z.object({
  averageRating: z.number(),
  imports: z.int(),
  ratingCount: z.int(),
  ratingSum: z.number(),
  userRating: z.number().nullable(),
})

const character = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    author: z.string(),
    tags: z.array(z.string()),
    adult: z.boolean(),
    featured: z.boolean(),
    webEnabled: z.boolean(),
    modelId: z.string().nullable(),
    photoUrl: z.string().nullable(),
    shareUrl: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    stats,
  })
  .meta({ id: 'ApiV1Character' })

export const characterList = z
  .object({ object: z.literal('list'), data: z.array(character) })
  .meta({ id: 'ApiV1CharacterList' })

export const oneCharacter = z
  .object({ object: z.literal('character'), data: character })
  .meta({ id: 'ApiV1OneCharacter' })

export const reviews = z
  .object({
    object: z.literal('list'),
    data: z.array(z.looseObject({})),
    pagination: z.object({ page: z.int(), pageSize: z.int(), total: z.int(), totalPages: z.int() }),
    summary: z.object({ averageRating: z.number(), totalReviews: z.int() }),
  })
  .meta({ id: 'ApiV1CharacterReviews' })
