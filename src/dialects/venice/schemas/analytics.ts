import { z } from 'zod'

/** What `encode-analytics.ts` writes (venice.md §14). Members of a day’s row are named after models or keys. */

const amount = z.number()
const totals = { totalUsd: amount, totalDiem: amount, totalUnits: z.number() }
const dayRow = z.record(z.string(), amount).describe('`date` in milliseconds, and what each of the dearest cost.')
const part = z.object({ type: z.string(), usd: amount, diem: amount, units: z.number() })

export const usageAnalytics = z
  .object({
    lookback: z.string(),
    byDate: z.array(z.object({ date: z.iso.date(), USD: amount, DIEM: amount })),
    byModel: z.array(
      z.object({
        modelName: z.string(),
        unitType: z.string(),
        modelType: z.string().nullable(),
        ...totals,
        breakdown: z.array(part).optional(),
      }),
    ),
    byModelDaily: z.array(dayRow),
    topModels: z.array(z.string()),
    byKey: z.array(z.object({ apiKeyId: z.uuid().nullable(), description: z.string(), ...totals })),
    byKeyDaily: z.array(dayRow),
    topKeyNames: z.array(z.string()),
  })
  .meta({ id: 'ApiV1UsageAnalytics' })
