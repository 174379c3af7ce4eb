import { fromDbAmount, fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'

/**
 * Removes records from before the time, at most `limit`, and remembers per account what they had cost, because their
 * debits stay for ever. Holds are numbered in order of time, so only the lowest numbers are looked at.
 */
export async function pruneUsage(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  const oldest = await sql
    .selectFrom('usage_records')
    .select(['hold_seq', 'account_no', 'cost_nano', 'created_at_ms'])
    .orderBy('hold_seq')
    .limit(limit)
    .execute()
  const expired = oldest.filter(row => fromDbNumber(row.created_at_ms) < beforeMs)
  if (expired.length === 0) return 0
  for (const pruned of sumByAccount(expired)) await addPruned(sql, pruned)
  const seqs = expired.map(row => fromDbNumber(row.hold_seq))
  const { numDeletedRows } = await sql.deleteFrom('usage_records').where('hold_seq', 'in', seqs).executeTakeFirst()
  return Number(numDeletedRows)
}

interface PrunedSum {
  readonly accountNo: number
  records: number
  costNano: bigint
}

type ExpiredRow = Readonly<Record<'account_no' | 'cost_nano', bigint | number | string>>

function sumByAccount(rows: readonly ExpiredRow[]): Iterable<PrunedSum> {
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

async function addPruned(sql: Sql, { accountNo, records, costNano }: PrunedSum): Promise<void> {
  await sql
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
