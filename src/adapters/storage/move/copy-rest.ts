import { sql } from 'kysely'
import { moveSetting } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import { copyWhole } from './copy-whole.ts'
import type { Move } from './move.ts'

/** What is copied piece by piece while the gateway runs, and what has a step of its own. */
const otherTables = ['transfers', 'usage_records', 'idempotency_keys', 'ledger_head', 'settings']

/** Copies what changes with every request, whole: accounts, keys, days, rates, open holds, and whatever else there is. */
export async function copyRest(move: Move, target: Sql): Promise<void> {
  const names = move.tables.names.filter(name => !otherTables.includes(name))
  for (const name of names.toReversed()) await sql`delete from ${sql.table(name)}`.execute(target)
  for (const name of names) await copyWhole(move, target, name)
  await copySettings(move, target)
  await copyHead(move, target)
  await setNumbers(names, target)
}

/** Settings that only PostgreSQL has stay. */
async function copySettings({ source }: Move, target: Sql): Promise<void> {
  const rows = await source.sql.selectFrom('settings').selectAll().where('name', '<>', moveSetting).execute()
  for (const { name, value } of rows)
    await target
      .insertInto('settings')
      .values({ name, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute()
}

/** The chain goes on where it stood. Holds take their numbers from a sequence there, which goes on as well. */
async function copyHead({ source }: Move, target: Sql): Promise<void> {
  const head = await source.sql.selectFrom('ledger_head').selectAll().executeTakeFirstOrThrow()
  const { hold_seq, transfer_seq, transfer_hash } = head
  await target
    .updateTable('ledger_head')
    .set({ transfer_seq: BigInt(transfer_seq), transfer_hash })
    .execute()
  const next = BigInt(hold_seq) + 1n
  await sql`select setval('hold_numbers', ${next}::bigint, false)`.execute(target)
}

/** Columns that number new rows by themselves go on behind the highest number that came along. */
async function setNumbers(names: readonly string[], target: Sql): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select relname as "table", attname as "column" from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relname = any(${sql.val(names)}::text[])
      and relnamespace = current_schema()::regnamespace`.execute(target)
  for (const { table, column } of rows)
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1, false)
      from ${sql.table(table)}`.execute(target)
}
