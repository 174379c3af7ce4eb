import { sql } from 'kysely'
import type { Sql } from '../sql/tables.ts'
import { insertRows } from './insert-rows.ts'
import { type Move, rowsPerPage, type Write } from './move.ts'
import { createRowReader } from './source-tables.ts'

/** Transfers never change and are numbered without a gap, so the target's last one says how far it is. */
export async function copyTransfers({ source, tables, report }: Move, write: Write): Promise<void> {
  const table = tables.get('transfers')
  const read = createRowReader(source.database, table.name, table.columns)
  const head = await source.sql.selectFrom('ledger_head').select('transfer_seq').executeTakeFirstOrThrow()
  const throughRowId = BigInt(head.transfer_seq)
  for (let afterRowId = await write(lastTransfer); ; ) {
    const { rows, lastRowId } = read({ afterRowId, throughRowId, limit: rowsPerPage })
    await write(async target => {
      await insertRows(target, table, rows)
      await moveHead(target)
    })
    report({ step: 'copying', table: table.name, rows: Number(lastRowId ?? throughRowId), of: Number(throughRowId) })
    if (lastRowId === null) return
    afterRowId = lastRowId
  }
}

/** The head of the chain goes along, so that what is there can be verified. */
async function moveHead(target: Sql): Promise<void> {
  await sql`
    update ledger_head set transfer_seq = seq, transfer_hash = hash
    from (select seq, hash from transfers order by seq desc limit 1) as last`.execute(target)
}

async function lastTransfer(target: Sql): Promise<bigint> {
  const { last } = await target
    .selectFrom('transfers')
    .select(select => select.fn.max('seq').as('last'))
    .executeTakeFirstOrThrow()
  return BigInt(last ?? 0)
}

/**
 * What the target has must be the beginning of the source's own chain, which its last hash proves.
 * @throws Error when it came from a copy of the store that went another way.
 */
export async function checkSameHistory(source: Sql, target: Sql): Promise<void> {
  const newest = await target.selectFrom('transfers').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).execute()
  const [last] = newest
  if (last === undefined) return
  const { rows } = await sql<{ hash: string }>`select hash from transfers where seq = ${BigInt(last.seq)}`.execute(
    source,
  )
  if (rows[0]?.hash !== last.hash)
    throw new Error(
      'the PostgreSQL database was filled from a copy of this store that has another history since: give an empty database',
    )
}
