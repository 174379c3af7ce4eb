import Database from 'libsql'
import { expect } from 'vitest'
import { withConnection } from '../../support/postgres/database.ts'

/** What differs on purpose: the mark of the move, and the number up to which holds are counted elsewhere in PostgreSQL. */
const withoutContent = ['schema_migrations']
const ownColumns: Readonly<Record<string, readonly string[]>> = { ledger_head: ['hold_seq'] }

interface StoredTable {
  readonly columns: readonly string[]
  /** Each row as one text, in an order that is the same for the same rows. */
  readonly rows: readonly string[]
}

/** Compares every table of the SQLite store, column by column, with what stands in PostgreSQL. */
export async function expectSameContent(path: string, url: string): Promise<void> {
  for (const [name, table] of readSqlite(path)) {
    expect(
      table.rows.length,
      `there is a row of ${name}, so that the test sees whether it comes along`,
    ).toBeGreaterThan(0)
    expect(await readPostgres(url, name, table.columns), name).toEqual(table.rows)
  }
}

/** The same for some tables, of which others may be empty. */
export async function expectSameRows(path: string, url: string, names: readonly string[]): Promise<void> {
  const tables = readSqlite(path)
  for (const name of names) {
    const table = tables.get(name)
    if (table === undefined) throw new RangeError(`there is no table ${name}`)
    expect(await readPostgres(url, name, table.columns), name).toEqual(table.rows)
  }
}

function readSqlite(path: string): ReadonlyMap<string, StoredTable> {
  const database = new Database(path)
  database.defaultSafeIntegers(true)
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all([]) as { name: string }[]
    const names = tables.map(({ name }) => name).filter(name => !withoutContent.includes(name))
    return new Map(names.map(name => [name, readTable(database, name)]))
  } finally {
    database.close()
  }
}

function readTable(database: Database.Database, name: string): StoredTable {
  const found = database.prepare('select name from pragma_table_xinfo(?)').all([name]) as { name: string }[]
  const columns = found.map(column => column.name).filter(column => !ownColumns[name]?.includes(column))
  const rows = database
    .prepare(`select ${columns.join(', ')} from ${name}`)
    .raw(true)
    .all([]) as unknown[][]
  return { columns, rows: inOrder(rows) }
}

function readPostgres(url: string, name: string, columns: readonly string[]): Promise<readonly string[]> {
  return withConnection(url, async client => {
    const { rows } = await client.query({ text: `select ${columns.join(', ')} from ${name}`, rowMode: 'array' })
    return inOrder(rows as unknown[][])
  })
}

function inOrder(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows
    .filter(([first]) => first !== 'move')
    .map(row => row.map(textOf).join(' | '))
    .sort()
}

/** Drivers hand integers over as bigint, number or text, and bytes as one kind of array or another. */
function textOf(value: unknown): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('hex')
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
  return String(value)
}
