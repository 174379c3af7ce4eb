import { sql } from 'kysely'
import type { UsagePage, UsageQuery } from '../../../../domain/usage/types.ts'
import type { Sql } from '../tables.ts'
import { afterCursor, type Cursor, decodeCursor, encodeCursor } from './usage-cursor.ts'
import { gatherRuns, readCountedDays } from './usage-days.ts'
import { type Condition, findFilter, type StoredFilter } from './usage-filter.ts'
import { fromDbUsageRecord, type ShownRow, shownColumns } from './usage-mapping.ts'

/** Rows that one page shows at most (operator.md §4). */
const pageRowsMax = 1_000
const dayMs = 86_400_000
/** No record lies beyond it: some thousand years. */
const lastDay = 10_000_000

/**
 * A page is read day by day, the newest first. The sums say on which days there is something to find and how much, so
 * that days without it are not looked at and reading ends with the day that fills the page.
 */
export async function readUsagePage(db: Sql, query: UsageQuery): Promise<UsagePage> {
  const limit = Math.max(Math.min(query.limit, pageRowsMax), 1)
  const cursor = query.cursor === null ? null : decodeCursor(query.cursor)
  const filter = await findFilter(db, query)
  const rows = filter === null ? [] : await readRows(db, { query, filter, cursor, needed: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { records: shown.map(fromDbUsageRecord), nextCursor: hasMore ? encodeCursor(last) : null }
}

interface RowsQuery {
  readonly query: UsageQuery
  readonly filter: StoredFilter
  readonly cursor: Cursor | null
  readonly needed: number
}

async function readRows(db: Sql, { query, filter, cursor, needed }: RowsQuery): Promise<readonly ShownRow[]> {
  const rows: ShownRow[] = []
  const days = readCountedDays(db, filter, daysOf(query, cursor))
  const own = [...filter.records, ...uncountedConditions(query)]
  // Only what the sums are kept by is counted; of the rest nobody knows how far back a page has to look.
  const runs = gatherRuns(days, { exact: query.status === null, missing: () => needed - rows.length })
  for await (const run of runs) {
    const conditions = [...isOfDays(run), ...own, ...afterCursor(cursor, run)]
    rows.push(...(await selectRows(db, conditions, needed - rows.length)))
    if (rows.length >= needed) break
  }
  return rows
}

/**
 * Times bound the search where days share a partition. A record's time is at most a day from its day: a request may come
 * in before midnight and be admitted after it, and clocks are set.
 */
function isOfDays(days: readonly number[]): readonly Condition[] {
  const [first, last] = [Math.min(...days), Math.max(...days)]
  return [
    sql`day in (${sql.join(days)})`,
    sql`created_at_ms >= ${(first - 1) * dayMs}`,
    sql`created_at_ms < ${(last + 2) * dayMs}`,
  ]
}

/** A record lies under the day of its time or, where it lies under that of its admission, under the one after it. */
function daysOf({ fromMs, toMs }: UsageQuery, cursor: Cursor | null) {
  const fromDay = fromMs === null ? 0 : dayOf(fromMs)
  const toDay = toMs === null ? lastDay : dayOf(toMs) + 1
  return { fromDay, toDay: Math.min(toDay, cursor?.day ?? lastDay) }
}

/** @throws RangeError for what is no time. */
function dayOf(atMs: number): number {
  if (!Number.isSafeInteger(atMs)) throw new RangeError('a time is a whole number of milliseconds')
  return Math.floor(atMs / dayMs)
}

function uncountedConditions({ status, fromMs, toMs }: UsageQuery): readonly Condition[] {
  return [
    ...(status === null ? [] : [sql`status = ${status}`]),
    ...(fromMs === null ? [] : [sql`created_at_ms >= ${fromMs}`]),
    ...(toMs === null ? [] : [sql`created_at_ms < ${toMs}`]),
  ]
}

async function selectRows(db: Sql, conditions: readonly Condition[], limit: number): Promise<readonly ShownRow[]> {
  const columns = sql.join(shownColumns.map(name => sql.ref(name)))
  const { rows } = await sql<ShownRow>`
    select shown.*, accounts.id as account_id, api_keys.id as key_id from (
      select ${columns}, account_no, key_no from usage_records where ${sql.join(conditions, sql` and `)}
      order by day desc, created_at_ms desc, hold_seq desc limit ${limit}
    ) as shown
    join accounts on accounts.no = shown.account_no
    left join api_keys on api_keys.no = shown.key_no
    order by shown.day desc, shown.created_at_ms desc, shown.hold_seq desc`.execute(db)
  return rows
}
