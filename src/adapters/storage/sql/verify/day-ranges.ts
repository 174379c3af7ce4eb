import { sql } from 'kysely'
import { fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'

/** UTC days since 1970, both included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

/** Beyond any day of a record. */
export const allDays: DayRange = { from: -10_000_000, to: 10_000_000 }

/**
 * All days there can be in the range: each day that has sums by itself, and what lies between, before and after them, where
 * no record should be. Records are checked one after the other, because they lie in the store by their days.
 */
export async function listDayRanges(db: Sql, { from, to }: DayRange): Promise<readonly DayRange[]> {
  const { rows } = await sql<{ readonly day: RawInteger }>`
    select distinct day from usage_days where day between ${from} and ${to} order by day`.execute(db)
  const ranges: DayRange[] = []
  let next = from
  for (const row of rows) {
    const day = fromDbNumber(row.day)
    if (next < day) ranges.push({ from: next, to: day - 1 })
    ranges.push({ from: day, to: day })
    next = day + 1
  }
  return next > to ? ranges : [...ranges, { from: next, to }]
}

/** For one day an equation: an index then gives its rows in order. */
export function isWithin({ from, to }: DayRange) {
  return from === to ? sql<boolean>`day = ${from}` : sql<boolean>`day between ${from} and ${to}`
}
