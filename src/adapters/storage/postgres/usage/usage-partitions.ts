import type { UsageStore } from '../../../../domain/usage/usage-store.ts'
import { pruneUsage } from '../../sql/stores/prune-usage.ts'
import type { Sql } from '../../sql/tables.ts'
import type { PostgresSql } from '../kysely-on-postgres.ts'
import { createDay, defaultPartition, dropDay, listDays, mayChangePartitions } from './day-partitions.ts'

const dayMs = 86_400_000
/** A gateway that cannot make partitions for a week is noticed before records have no place of their own. */
const daysAhead = 7
/** Requests of yesterday may still be running, and clocks differ. */
const daysBehind = 1

/**
 * The part of the usage store that works on days instead of rows. Both methods reject with `StoreUnavailable` when
 * somebody reads for long what has to be locked, and do nothing while another gateway changes partitions; calling later
 * makes up for it.
 */
export function createUsagePartitions(database: PostgresSql): Pick<UsageStore, 'prepareDays' | 'prune'> {
  const change = (run: (db: Sql) => Promise<number>) =>
    database.transaction(async db => ((await mayChangePartitions(db)) ? await run(db) : 0))

  /** Removes the oldest days, empty ones too, each in a transaction of its own, until one had records. */
  async function dropOldest(beforeDay: number): Promise<number> {
    for (const day of await database.transaction(listDays)) {
      if (day >= beforeDay) break
      const records = await change(async db => ((await listDays(db)).includes(day) ? await dropDay(db, day) : 0))
      if (records > 0) return records
    }
    return 0
  }

  return {
    async prepareDays(nowMs) {
      const today = Math.floor(nowMs / dayMs)
      const wanted = Array.from({ length: daysBehind + 1 + daysAhead }, (_, index) => today - daysBehind + index)
      const known = await database.transaction(listDays)
      if (wanted.every(day => known.includes(day))) return
      await change(async db => {
        const made = await listDays(db)
        let records = 0
        for (const day of wanted) records += made.includes(day) ? 0 : await createDay(db, day)
        return records
      })
    },
    async prune(beforeMs, limit) {
      const dropped = await dropOldest(Math.floor(beforeMs / dayMs))
      if (dropped > 0) return dropped
      // What is as old and still there has no partition of its own day.
      return await change(db => pruneUsage(db, beforeMs, { limit, table: defaultPartition }))
    },
  }
}
