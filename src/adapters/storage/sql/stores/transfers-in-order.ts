import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Currency } from '../../../../core/currency.ts'
import type { RawInteger } from '../mapping.ts'
import type { Sql, TransfersTable } from '../tables.ts'

export type TransferRow = Selectable<TransfersTable>

export interface TransferRange {
  readonly accountNo: RawInteger
  readonly currencies: readonly Currency[]
  /** Booked from this on, and before that. */
  readonly fromMs: number
  readonly toMs: number
  readonly limit: number
  /** What else holds for a row. */
  readonly where?: readonly RawBuilder<unknown>[]
}

/**
 * Transfers of an account in the order of time and, within a millisecond, of booking. The index over customer, currency
 * and time begins for each currency where the range does, so that a few in one are not looked for among millions in another.
 */
export async function readTransfersInOrder(db: Sql, range: TransferRange): Promise<readonly TransferRow[]> {
  const { accountNo, currencies, fromMs, toMs, limit, where = [] } = range
  const inOrder = sql`order by created_at_ms, seq limit ${limit}`
  const ofEach = currencies.map(currency => {
    const conditions = [
      sql`customer_no = ${accountNo}`,
      sql`asset = ${currency}`,
      sql`created_at_ms >= ${fromMs}`,
      sql`created_at_ms < ${toMs}`,
      ...where,
    ]
    return sql`
      select * from (select * from transfers where ${sql.join(conditions, sql` and `)} ${inOrder}) as ${sql.ref(currency)}`
  })
  const { rows } = await sql<TransferRow>`
    select * from (${sql.join(ofEach, sql` union all `)}) as found ${inOrder}`.execute(db)
  return rows
}
