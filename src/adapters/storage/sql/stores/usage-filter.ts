import { type RawBuilder, sql } from 'kysely'
import type { UsageFilter } from '../../../../domain/usage/types.ts'
import { countedColumns } from '../counted-columns.ts'
import { fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'

/** A condition on rows of records, or of their sums, which have the same columns. */
export type Condition = RawBuilder<unknown>

/** A filter in the numbers that rows are stored with: the planner then knows how many to expect. */
export interface StoredFilter {
  /** For records. */
  readonly records: readonly Condition[]
  /** Rows of sums that add up to the same: which, and what they must agree with. */
  readonly sums: { readonly from: RawBuilder<unknown>; readonly where: readonly Condition[] }
}

/** Null when account or key is not there, so that nothing can match. */
export async function findFilter(db: Sql, filter: UsageFilter): Promise<StoredFilter | null> {
  const accountNo = await numberOf(db, 'accounts', filter.accountId)
  const keyNo = await numberOf(db, 'api_keys', filter.keyId)
  if (accountNo === undefined || keyNo === undefined) return null
  const { model, outcome } = filter
  const owners = conditionsOf({ account_no: accountNo, key_no: keyNo, model })
  const records = [...owners, ...conditionsOf({ outcome })]
  if (outcome === null) return { records, sums: { from: sql`usage_days`, where: owners } }
  if (outcome === 'done') return { records, sums: { from: doneSums, where: owners } }
  return { records, sums: { from: sql`usage_days_unusual`, where: records } }
}

function conditionsOf(values: Readonly<Record<string, number | string | null>>): readonly Condition[] {
  return Object.entries(values).flatMap(([column, value]) =>
    value === null ? [] : [sql`${sql.ref(column)} = ${value}`],
  )
}

async function numberOf(
  db: Sql,
  table: 'accounts' | 'api_keys',
  id: string | null,
): Promise<number | null | undefined> {
  if (id === null) return null
  const row = await db.selectFrom(table).select('no').where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : fromDbNumber(row.no)
}

/** Requests that were done are all but the others: only those, which are few, are counted apart. */
const doneSums = sql`(
  select day, account_no, key_no, model, ${sql.join(countedColumns.map(name => sql.ref(name)))} from usage_days
  union all
  select day, account_no, key_no, model, ${sql.join(countedColumns.map(name => sql`-${sql.ref(name)}`))}
  from usage_days_unusual
) as done`
