import { sql } from 'kysely'
import type { ChargeKind } from '../../../../core/price.ts'
import type { SoldLines, SoldLinesQuery } from '../../../../domain/usage/types.ts'
import { fromDbAmount, fromDbNumber, fromDbWord, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'

const rowsMax = 2_000
const kinds: readonly ChargeKind[] = ['input', 'cache_read', 'cache_write', 'output', 'search', 'document', 'page']

type SoldRow = Readonly<Record<'units' | 'cost_nano' | 'diem_nano', RawInteger>> & {
  readonly model: string
  readonly kind: string
}

/** Adds up the sums per day, which are as few as models and kinds were in use. */
export async function readSoldLines(
  db: Sql,
  { accountId, fromDay, toDay }: SoldLinesQuery,
): Promise<readonly SoldLines[]> {
  const { rows } = await sql<SoldRow>`
    select model, kind, sum(units) as units, sum(cost_nano) as cost_nano, sum(diem_nano) as diem_nano
    from usage_day_lines
    where account_no = (select no from accounts where id = ${accountId}) and day between ${fromDay} and ${toDay}
    group by model, kind
    having sum(units) > 0
    order by sum(cost_nano) desc, model, kind
    limit ${rowsMax}`.execute(db)
  return rows.map(row => ({
    model: row.model,
    kind: fromDbWord(row.kind, kinds),
    units: fromDbNumber(row.units),
    costNano: fromDbAmount(row.cost_nano),
    diemNano: fromDbAmount(row.diem_nano),
  }))
}
