import { sql } from 'kysely'
import { fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'

/** A key by the numbers that records have it under. */
interface NumberedKey {
  readonly no: number
  readonly accountNo: number
}

/** Keys that one statement asks for; each may have been used on a day of its own. */
const keysAtOnce = 32

/**
 * When each key was last used, by its number; nothing for a key that never was, or whose records are gone. That stands in
 * no column, since admissions would have to write it: the sums name a key's last day, and an index the last record of it.
 */
export async function readLastUses(db: Sql, keys: readonly NumberedKey[]): Promise<ReadonlyMap<number, number>> {
  const uses = new Map<number, number>()
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    const asked = keys.slice(start, start + keysAtOnce)
    const days = await readLastDays(db, asked)
    const searches = asked.flatMap(({ no, accountNo }) => {
      const day = days.get(no)
      if (day === undefined) return []
      return [
        sql`select ${sql.lit(no)} as key_no, (
          select created_at_ms from usage_records
          where account_no = ${accountNo} and key_no = ${no} and day = ${day}
          order by created_at_ms desc limit 1
        ) as at_ms`,
      ]
    })
    if (searches.length === 0) continue
    const statement = sql<LastUse>`${sql.join(searches, sql` union all `)}`
    for (const { key_no, at_ms } of (await statement.execute(db)).rows)
      if (at_ms !== null) uses.set(fromDbNumber(key_no), fromDbNumber(at_ms))
  }
  return uses
}

interface LastUse {
  readonly key_no: RawInteger
  readonly at_ms: RawInteger | null
}

async function readLastDays(db: Sql, keys: readonly NumberedKey[]): Promise<ReadonlyMap<number, number>> {
  const nos = keys.map(({ no }) => no)
  const { rows } = await sql<{ readonly key_no: RawInteger; readonly day: RawInteger }>`
    select key_no, max(day) as day from usage_days
    where key_no in (${sql.join(nos)}) and requests > 0 group by key_no`.execute(db)
  return new Map(rows.map(row => [fromDbNumber(row.key_no), fromDbNumber(row.day)]))
}
