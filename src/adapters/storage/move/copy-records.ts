import { fromDbNumber } from '../sql/mapping.ts'
import { readMoveMark, writeMoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import { insertRows } from './insert-rows.ts'
import { type Move, rowsPerPage, type Write } from './move.ts'
import { createRowReader, rowIdOf, type SqliteRow } from './source-tables.ts'

/** Copies the records that the target lacks, and writes into its mark up to where it has them all. */
export async function copyRecords(move: Move, write: Write): Promise<void> {
  const { source, mark, report } = move
  const table = move.tables.get('usage_records')
  const read = createRowReader(source.database, table.name, table.columns)
  const sweptAt = table.columns.indexOf('swept') + 1
  const through = (await write(readMoveMark))?.recordsThrough ?? 0
  const { holdSeq, completeThrough } = await source.snapshot(readHolds)
  for (let afterRowId = BigInt(through); ; ) {
    const { rows, lastRowId } = read({ afterRowId, throughRowId: BigInt(holdSeq), limit: rowsPerPage })
    const reached = lastRowId === null ? holdSeq : Number(lastRowId)
    const recordsThrough = Math.max(through, Math.min(completeThrough, reached))
    await write(async target => {
      const missing = await withoutKnown(target, rows)
      await insertRows(target, table, missing)
      await writeMoveMark(target, { ...mark, recordsThrough })
      for (const row of missing) if (row[sweptAt] === sweptOnce) move.swept.add(rowIdOf(row))
    })
    report({ step: 'copying', table: 'usage records', rows: reached, of: holdSeq })
    if (lastRowId === null) return
    afterRowId = lastRowId
  }
}

/** The value of a record that a late settlement may still correct. */
export const sweptOnce = 1n

/**
 * Records are written in the order in which requests end, under numbers in the order in which they began: only below the
 * lowest open hold nothing can come in any more.
 */
async function readHolds(source: Sql): Promise<{ readonly holdSeq: number; readonly completeThrough: number }> {
  const head = await source.selectFrom('ledger_head').select('hold_seq').executeTakeFirstOrThrow()
  const { lowest } = await source
    .selectFrom('holds')
    .select(select => select.fn.min('seq').as('lowest'))
    .executeTakeFirstOrThrow()
  const holdSeq = fromDbNumber(head.hold_seq)
  return { holdSeq, completeThrough: lowest === null ? holdSeq : fromDbNumber(lowest) - 1 }
}

/** The rows come in the order of their numbers, so the target is asked for a range. */
async function withoutKnown(target: Sql, rows: readonly SqliteRow[]): Promise<readonly SqliteRow[]> {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (first === undefined || last === undefined) return rows
  const known = await target
    .selectFrom('usage_records')
    .select('hold_seq')
    .where('hold_seq', '>=', rowIdOf(first))
    .where('hold_seq', '<=', rowIdOf(last))
    .execute()
  const numbers = new Set(known.map(row => BigInt(row.hold_seq)))
  return rows.filter(row => !numbers.has(rowIdOf(row)))
}
