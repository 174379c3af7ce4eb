import { fromDbAmount, fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { decodeParts } from '../texts/currency-parts.ts'
import { decodeHoldFacts } from '../texts/hold-facts.ts'
import type { AuditedHold } from './audit.ts'

/** Holds that one statement asks for. */
const holdsAtOnce = 1_000
const dayMs = 86_400_000

export async function readOpenHolds(sql: Sql): Promise<readonly AuditedHold[]> {
  const rows = await sql
    .selectFrom('holds')
    .select(['seq', 'id', 'account_no', 'key_no', 'amount_nano', 'facts', 'parts'])
    .execute()
  const holds = rows.map(row => ({
    seq: fromDbNumber(row.seq),
    id: row.id,
    accountNo: fromDbNumber(row.account_no),
    keyNo: fromDbNumber(row.key_no),
    amountNano: fromDbAmount(row.amount_nano),
    parts: decodeParts(row.parts),
    day: Math.floor(decodeHoldFacts(row.facts).createdAtMs / dayMs),
  }))
  const resolved = await findResolved(sql, holds)
  return holds.map(hold => ({ ...hold, resolved: resolved.has(hold.seq) }))
}

/** Numbers of holds that have a record: it lies under the day of their admission or, by its own time, under the one before. */
async function findResolved(
  sql: Sql,
  holds: readonly { readonly seq: number; readonly day: number }[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (const day of new Set(holds.map(hold => hold.day))) {
    const seqs = holds.filter(hold => hold.day === day).map(({ seq }) => seq)
    for (let start = 0; start < seqs.length; start += holdsAtOnce) {
      const records = sql
        .selectFrom('usage_records')
        .select('hold_seq')
        .where('day', 'in', [day - 1, day])
      const rows = await records.where('hold_seq', 'in', seqs.slice(start, start + holdsAtOnce)).execute()
      for (const row of rows) found.add(fromDbNumber(row.hold_seq))
    }
  }
  return found
}
