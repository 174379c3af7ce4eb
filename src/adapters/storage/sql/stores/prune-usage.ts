import { sql } from 'kysely'
import { fromDbAmount, fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'

const dayMs = 86_400_000

/**
 * Removes records of days that ended before the time, at most `limit`, and remembers per account what they had cost,
 * because their debits stay for ever. Counted is what the statement itself removed, whoever else does the same now.
 */
export async function pruneUsage(
  db: Sql,
  beforeMs: number,
  { limit, table = 'usage_records' }: Pruning,
): Promise<number> {
  const expired = sql`day < ${Math.floor(beforeMs / dayMs)}`
  const { rows } = await sql<RemovedRow>`
    delete from ${sql.table(table)} where ${expired} and hold_seq in (
      select hold_seq from ${sql.table(table)} where ${expired} order by day limit ${limit}
    )
    returning account_no, cost_nano`.execute(db)
  for (const pruned of sumByAccount(rows)) await addPruned(db, pruned)
  return rows.length
}

export interface Pruning {
  readonly limit: number
  /** A part of the records, where they lie in parts. */
  readonly table?: string
}

interface PrunedSum {
  readonly accountNo: number
  records: number
  costNano: bigint
}

type RemovedRow = Readonly<Record<'account_no' | 'cost_nano', bigint | number | string>>

function sumByAccount(rows: readonly RemovedRow[]): Iterable<PrunedSum> {
  const sums = new Map<number, PrunedSum>()
  for (const row of rows) {
    const accountNo = fromDbNumber(row.account_no)
    const sum = sums.get(accountNo) ?? { accountNo, records: 0, costNano: 0n }
    sum.records += 1
    sum.costNano += fromDbAmount(row.cost_nano)
    sums.set(accountNo, sum)
  }
  return sums.values()
}

async function addPruned(db: Sql, { accountNo, records, costNano }: PrunedSum): Promise<void> {
  await db
    .insertInto('pruned_usage')
    .values({ account_no: accountNo, records, cost_nano: costNano })
    .onConflict(conflict =>
      conflict.column('account_no').doUpdateSet(where => ({
        records: where('pruned_usage.records', '+', records),
        cost_nano: where('pruned_usage.cost_nano', '+', costNano),
      })),
    )
    .execute()
}
