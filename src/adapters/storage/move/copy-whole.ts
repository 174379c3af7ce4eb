import { sql } from 'kysely'
import type { Sql } from '../sql/tables.ts'
import { insertRows } from './insert-rows.ts'
import { type Move, rowsPerPage, type Write } from './move.ts'
import { createRowReader } from './source-tables.ts'

/** Copies a table row by row, in place of what the target has of it. */
export async function copyWhole(move: Move, target: Sql, name: string): Promise<void> {
  await sql`delete from ${sql.table(name)}`.execute(target)
  await copyRows(move, target, { name, afterRowId: rowIdMin })
}

interface Rows {
  readonly name: string
  readonly afterRowId: bigint
}

async function copyRows({ source, tables }: Move, target: Sql, { name, afterRowId }: Rows): Promise<void> {
  const table = tables.get(name)
  const read = createRowReader(source.database, name, table.columns)
  for (let after = afterRowId; ; ) {
    const { rows, lastRowId } = read({ afterRowId: after, limit: rowsPerPage })
    await insertRows(target, table, rows)
    if (lastRowId === null) return
    after = lastRowId
  }
}

/** Row numbers of an integer key may be below zero. */
const rowIdMin = -(2n ** 63n)

/**
 * What transfers and records refer to, while the gateway runs: the part of the books that is copied then is verified then.
 * Accounts are never removed, and numbered in the order in which they come; what their rows say is copied again in the last step.
 */
export async function copyAccountsAndPrices(move: Move, write: Write): Promise<void> {
  const last = await write(target =>
    target.selectFrom('accounts').select('no').orderBy('no', 'desc').limit(1).execute(),
  )
  const afterRowId = BigInt(last[0]?.no ?? 0)
  await write(target => copyRows(move, target, { name: 'accounts', afterRowId }))
  await write(target => copyWhole(move, target, 'price_lists'))
}
