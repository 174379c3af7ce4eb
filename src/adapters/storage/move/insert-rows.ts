import { sql } from 'kysely'
import { fromDbBytes } from '../sql/mapping.ts'
import type { Sql } from '../sql/tables.ts'
import { derivationOf } from './derived-columns.ts'
import type { MovedTable } from './plan-table.ts'
import type { SqliteRow, SqliteValue } from './source-tables.ts'

/** Writes rows with one statement: an array per column goes over the wire, which PostgreSQL turns into rows. */
export async function insertRows(target: Sql, table: MovedTable, rows: readonly SqliteRow[]): Promise<void> {
  if (rows.length === 0) return
  const names = sql.join(table.written.map(({ name }) => sql.ref(name)))
  const arrays = valuesByColumn(table, rows).map(
    (values, index) => sql`${sql.val(values)}::${sql.raw(`${table.written[index]?.type}[]`)}`,
  )
  await sql`insert into ${sql.table(table.name)} (${names}) select * from unnest(${sql.join(arrays)})`.execute(target)
}

/** The rows' values as PostgreSQL's driver takes them, an array per column. */
function valuesByColumn({ name, columns, written }: MovedTable, rows: readonly SqliteRow[]): unknown[][] {
  const stored = columns.map((_, index) => rows.map(row => storable(valueAt(row, index))))
  const computed = written.slice(columns.length).map(({ name: column }) => {
    const derive = derivationOf(name, column)
    if (derive === null) throw new TypeError(`nothing computes ${name}.${column}`)
    return rows.map(row => derive(wanted => valueAt(row, columns.indexOf(wanted))))
  })
  return [...stored, ...computed]
}

function storable(value: SqliteValue): SqliteValue {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? fromDbBytes(value) : value
}

/** The row's number stands before its columns. */
function valueAt(row: SqliteRow, index: number): SqliteValue {
  const value = row[index + 1]
  if (value === undefined) throw new RangeError('a row lacks a column')
  return value
}
