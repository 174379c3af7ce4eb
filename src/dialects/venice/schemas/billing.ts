import { z } from 'zod'
import { currencies } from '../history-walk.ts'

/** What `encode-billing.ts` and `encode-history.ts` write (venice.md §14). */

const currency = z.enum(currencies)

export const balance = z
  .object({
    canConsume: z.boolean(),
    consumptionCurrency: currency.nullable().describe('What the next request is paid with.'),
    balances: z.object({ diem: z.number(), usd: z.number(), bundledCredits: z.number(), earnedCredits: z.number() }),
    diemEpochAllocation: z.number(),
  })
  .meta({ id: 'ApiV1Balance' })

const inferenceDetails = z.object({
  requestId: z.string(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  inferenceExecutionTime: z.number().describe('Milliseconds.'),
})

const row = z.object({
  timestamp: z.iso.datetime(),
  sku: z.string(),
  units: z.number(),
  pricePerUnitUsd: z.number(),
  amount: z.number().describe('Negative for what was paid.'),
  currency,
  notes: z.string(),
  inferenceDetails: inferenceDetails.nullable(),
})

export const usageHistory = z
  .object({ data: z.array(row), nextCursor: z.string().nullable().describe('Null at the end.') })
  .meta({ id: 'ApiV1UsageHistory' })

/** The same rows as a table with a line of names. */
export const usageHistoryCsv = z.string()
