import { sql } from 'kysely'
import { countedColumns, summedColumns } from '../counted-columns.ts'
import { fromDbAmount, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { type DayRange, isWithin } from './day-ranges.ts'

/** What is counted of a day, an account, a key and a model, less what the records add up to. */
export interface Difference extends Readonly<Record<(typeof summedColumns)[number], RawInteger>> {
  readonly day: RawInteger
  readonly account_no: RawInteger
  readonly key_no: RawInteger
  readonly model: string
  /** Of the sums by outcome; empty where all outcomes are counted. */
  readonly outcome: string
  readonly requests: RawInteger
}

/** Groups in which counted and added up are not the same; those of all outcomes come first. */
export async function readDifferences(db: Sql, range: DayRange): Promise<readonly Difference[]> {
  const counts = sql.join(summedColumns.map(name => sql.ref(name)))
  const taken = sql.join(summedColumns.map(name => sql`-${sql.ref(name)}`))
  const sums = sql.join(summedColumns.map(name => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const differs = countedColumns.map(name => sql`sum(${sql.ref(`entries.${name}`)}) <> 0`)
  const records = sql`from usage_records where ${isWithin(range)}`
  const { rows } = await sql<Difference>`
    select day, account_no, key_no, model, outcome, sum(requests) as requests, ${sums}
    from (
      select day, account_no, key_no, model, '' as outcome, requests, ${counts} from usage_days where ${isWithin(range)}
      union all
      select day, account_no, coalesce(key_no, 0), model, '', -1, ${taken} ${records}
      union all
      select day, account_no, key_no, model, outcome, requests, ${counts}
      from usage_days_unusual where ${isWithin(range)}
      union all
      select day, account_no, coalesce(key_no, 0), model, outcome, -1, ${taken} ${records} and outcome <> 'done'
    ) as entries
    group by day, account_no, key_no, model, outcome
    having ${sql.join(differs, sql` or `)}
    order by outcome`.execute(db)
  return withoutPruned(rows)
}

/** Records that were pruned are missing from both sums: from that of their outcome nobody need hear of it. */
function withoutPruned(rows: readonly Difference[]): readonly Difference[] {
  const groupOf = (row: Difference) => [row.day, row.account_no, row.key_no, row.model].join('/')
  const totals = rows.filter(({ outcome }) => outcome === '')
  const missing = new Map(totals.map(row => [groupOf(row), fromDbAmount(row.requests)]))
  return rows.filter(row => {
    const requests = fromDbAmount(row.requests)
    return row.outcome === '' || requests <= 0n || requests > (missing.get(groupOf(row)) ?? 0n)
  })
}
