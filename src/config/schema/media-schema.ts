import { z } from 'zod'
import { whole } from './fields.ts'

/** Above any context, so that a bound never is the reason why too little is held. */
const tokensMax = 10_000_000

const imageSchema = z.strictObject({
  tilePx: whole(1, 16_384).describe('The side in pixels of the squares that the engine cuts an image into.'),
  tokensPerTile: whole(0, tokensMax).describe('Tokens for each of them.'),
  baseTokens: whole(0, tokensMax).describe('Tokens for every image, whatever its size.'),
  maxTokens: whole(1, tokensMax).describe('Tokens for the largest image.'),
})

export const mediaSchema = z
  .strictObject({
    check: z
      .union([z.boolean(), z.literal('auto')])
      .default('auto')
      .describe(
        'Whether images, audio, video and files are looked at before they are forwarded on /v1. auto: where the model has vision, audioInput or videoInput. Addresses are always looked at, and so is everything on /api/v1.',
      ),
    image: imageSchema
      .nullable()
      .default(null)
      .describe(
        'The most that its engines count for an image, which is held until they have counted; null for what is known of its family.',
      ),
    audioTokensPerSecond: whole(1, 100_000).default(64).describe('The most that they count for a second of audio.'),
    videoTokensPerSecond: whole(1, 100_000).default(1_024).describe('The same for a second of video.'),
  })
  .prefault({})
  .describe('Parts that are not text.')
