import { sql } from 'kysely'
import { fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import type { StoredFilter } from './usage-filter.ts'

/** A day on which there were matching requests, and how many; those that were pruned since are counted too. */
export interface CountedDay {
  readonly day: number
  readonly requests: number
}

const firstDays = 2
const daysGrowth = 4
const daysAtOnceMax = 512
/** What one statement reads: each day is a partition, and a lock on it and on each of its indexes. */
const runDaysMax = 32

/**
 * The days with matching requests, the newest first, from `toDay` back to `fromDay`. They are read out of the sums, a few
 * at first and more each time, so that who needs the last day only does not pay for a year.
 */
export async function* readCountedDays(
  db: Sql,
  { sums }: StoredFilter,
  { fromDay, toDay }: { readonly fromDay: number; readonly toDay: number },
): AsyncGenerator<CountedDay> {
  let before = toDay + 1
  for (let limit = firstDays; ; limit = Math.min(limit * daysGrowth, daysAtOnceMax)) {
    const conditions = [sql`day < ${before}`, sql`day >= ${fromDay}`, ...sums.where]
    const { rows } = await sql<{ readonly day: RawInteger; readonly requests: RawInteger }>`
      select day, sum(requests) as requests from ${sums.from} where ${sql.join(conditions, sql` and `)}
      group by day having sum(requests) > 0 order by day desc limit ${limit}`.execute(db)
    for (const row of rows) {
      before = fromDbNumber(row.day)
      yield { day: before, requests: fromDbNumber(row.requests) }
    }
    if (rows.length < limit) return
  }
}

export interface RunsOptions {
  /** False when less may be found on a day than is counted. */
  readonly exact: boolean
  /** Rows that the page still needs. */
  missing(): number
}

/**
 * Days that are read by one statement: as many as are needed in full, or one that has enough by itself, whose index then
 * gives its rows in order. Where counts promise too much, each run takes twice as many days as the one before.
 */
export async function* gatherRuns(
  days: AsyncIterable<CountedDay>,
  { exact, missing }: RunsOptions,
): AsyncGenerator<readonly number[]> {
  let run: number[] = []
  let promised = 0
  let atOnce = 1
  function endRun(): readonly number[] {
    const ended = run
    run = []
    promised = 0
    if (!exact) atOnce = Math.min(atOnce * 2, runDaysMax)
    return ended
  }
  for await (const { day, requests } of days) {
    if (run.length >= atOnce && promised + requests > missing()) yield endRun()
    run.push(day)
    promised += requests
    if (run.length >= atOnce && (promised >= missing() || run.length >= runDaysMax)) yield endRun()
  }
  if (run.length > 0) yield run
}
