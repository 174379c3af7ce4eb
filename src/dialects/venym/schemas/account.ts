import { z } from 'zod'

/** What `encode-account.ts` writes (venym.md §7). Amounts are USD. */

const usd = z.number()
const rate = z.int().min(0).nullable()

export const credits = z
  .object({
    data: z.object({
      total_credits: usd,
      total_usage: usd,
      balance: usd,
      available: usd.describe('The balance without what running requests hold.'),
    }),
  })
  .meta({ id: 'V1Credits' })

export const key = z
  .object({
    data: z.object({
      label: z.string(),
      type: z.string(),
      limit: usd.nullable(),
      limit_remaining: usd.nullable(),
      limit_reset: z.enum(['daily', 'monthly']).nullable(),
      usage: usd,
      usage_daily: usd,
      usage_weekly: usd,
      usage_monthly: usd,
      expires_at: z.iso.datetime().nullable(),
      rate_limit: z.object({
        requests_per_minute: rate,
        tokens_per_minute: rate,
        requests_per_day: rate,
        concurrency: rate,
      }),
    }),
  })
  .meta({ id: 'V1Key' })
