import { z } from 'zod'

/** What `encode-rate-limits.ts` writes (venice.md §5.3). */

const rateType = z.enum(['RPM', 'RPD', 'TPM'])

const modelRates = z.object({
  apiModelId: z.string(),
  rateLimits: z.array(z.object({ type: rateType, amount: z.int().min(0) })).describe('Without a limit there is none.'),
})

export const rateLimits = z
  .object({
    data: z.object({
      accessPermitted: z.boolean(),
      apiTier: z.object({ id: z.string(), isCharged: z.boolean() }),
      balances: z.object({ USD: z.number(), DIEM: z.number(), BUNDLED_CREDITS: z.number() }),
      keyExpiration: z.iso.datetime().nullable(),
      nextEpochBegins: z.iso.datetime(),
      rateLimits: z.array(modelRates),
    }),
  })
  .meta({ id: 'ApiV1RateLimits' })

const refusal = z.object({
  apiKeyId: z.uuid(),
  modelId: z.string(),
  rateLimitTier: z.string(),
  rateLimitType: z.enum(['RPM', 'TPM', 'RPD', 'FAILED_REQUESTS', 'UNSUPPORTED_FEATURE_REQUESTS']),
  timestamp: z.iso.datetime(),
})

export const rateLimitLog = z
  .object({ object: z.literal('list'), data: z.array(refusal) })
  .meta({ id: 'ApiV1RateLimitLog' })
