import type { UsageStore } from '../../../../domain/usage/usage-store.ts'
import { pruneUsage } from './prune-usage.ts'
import { readSoldLines } from './sold-lines.ts'
import { readUsagePage } from './usage-pages.ts'
import { findUsageRecord, type RecordPlaces } from './usage-records.ts'
import { summariseUsage } from './usage-summaries.ts'

/** `prune` is to be called inside a transaction. Here all days lie in one table: nothing is to be prepared for them. */
export function createUsageStore(places: RecordPlaces): UsageStore {
  const { sql } = places
  return {
    findByGeneration: (generationId, accountId) => findUsageRecord(places, generationId, accountId),
    list: query => readUsagePage(sql, query),
    summarise: query => summariseUsage(sql, query),
    soldLines: query => readSoldLines(sql, query),
    prepareDays: () => Promise.resolve(),
    prune: (beforeMs, limit) => pruneUsage(sql, beforeMs, { limit }),
  }
}
