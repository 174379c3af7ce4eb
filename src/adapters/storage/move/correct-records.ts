import type { Sql } from '../sql/tables.ts'
import { countPruned } from '../sql/verify/verified-part.ts'
import { sweptOnce } from './copy-records.ts'
import { copyWhole } from './copy-whole.ts'
import { insertRows } from './insert-rows.ts'
import { type Move, rowsPerPage, type Write } from './move.ts'
import { createRowReader } from './source-tables.ts'

/** Brings over the late settlements of records that the sweeper had written before they were copied. True when there were any. */
export async function replaceSwept({ source, tables, swept }: Move, target: Sql): Promise<boolean> {
  const table = tables.get('usage_records')
  const read = createRowReader(source.database, table.name, table.columns)
  const sweptAt = table.columns.indexOf('swept') + 1
  let replaced = false
  for (const number of swept) {
    const { rows } = read({ afterRowId: number - 1n, throughRowId: number, limit: 1 })
    if (rows.length === 0 || rows[0]?.[sweptAt] === sweptOnce) continue
    await target.deleteFrom('usage_records').where('hold_seq', '=', number).execute()
    await insertRows(target, table, rows)
    replaced = true
  }
  return replaced
}

/**
 * Removes from the target what retention removed from the source since it was copied, and remembers the sums of it. Up to
 * `through` the target must have every record. True when there was any.
 */
export async function followPruning(move: Move, write: Write, through: bigint): Promise<boolean> {
  if ((await write(countPruned)) === (await countPruned(move.source.sql))) return false
  await write(async target => {
    // In this order: what is pruned in between makes the sums differ, and is found the next time.
    await copyWhole(move, target, 'pruned_usage')
    await removePruned(move, target, through)
  })
  return true
}

/** Pruned are the oldest, so the search ends where as many were found as the target has too many. */
async function removePruned({ source }: Move, target: Sql, through: bigint): Promise<void> {
  let surplus = (await countRecords(target, through)) - (await countRecords(source.sql, through))
  for (let after = 0n; surplus > 0n; ) {
    const numbers = await recordNumbers(target, { after, through })
    const last = numbers.at(-1)
    if (last === undefined) return
    const kept = new Set(await recordNumbers(source.sql, { after, through: last }))
    const pruned = numbers.filter(number => !kept.has(number))
    if (pruned.length > 0) await target.deleteFrom('usage_records').where('hold_seq', 'in', pruned).execute()
    surplus -= BigInt(pruned.length)
    after = last
  }
}

async function countRecords(sql: Sql, through: bigint): Promise<bigint> {
  const { count } = await sql
    .selectFrom('usage_records')
    .select(select => select.fn.countAll<bigint>().as('count'))
    .where('hold_seq', '<=', through)
    .executeTakeFirstOrThrow()
  return BigInt(count)
}

interface NumberRange {
  readonly after: bigint
  readonly through: bigint
}

async function recordNumbers(sql: Sql, { after, through }: NumberRange): Promise<bigint[]> {
  const rows = await sql
    .selectFrom('usage_records')
    .select('hold_seq')
    .where('hold_seq', '>', after)
    .where('hold_seq', '<=', through)
    .orderBy('hold_seq')
    .limit(rowsPerPage)
    .execute()
  return rows.map(row => BigInt(row.hold_seq))
}
