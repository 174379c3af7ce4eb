import type { SqliteDatabase } from '../sqlite/connection.ts'
import { quoted } from './quoted.ts'

export type SqliteValue = bigint | number | string | Uint8Array | ArrayBuffer | null

/** Rows of a table in the order of their row numbers, which every table of ours has. */
export interface RowPage {
  readonly rows: readonly SqliteRow[]
  /** Beyond it the next page begins. Null when nothing can follow. */
  readonly lastRowId: bigint | null
}

/** Values in the order of the columns that were asked for, with the row's number before them. */
export type SqliteRow = readonly SqliteValue[]

export interface PageQuery {
  readonly afterRowId: bigint
  /** Inclusive; what comes in later is left to a later pass. */
  readonly throughRowId?: bigint
  readonly limit: number
}

/** Tables that tell how the file is made, not what is in it. */
const withoutContent = ['schema_migrations']

/** Every table of the store, in the order in which they were made: one that refers to another comes after it. */
export function listTables(database: SqliteDatabase): readonly string[] {
  const rows = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by rowid")
    .all([]) as { name: string }[]
  return rows.map(({ name }) => name).filter(name => !withoutContent.includes(name))
}

/** Those that are computed when they are read are columns like any other: PostgreSQL stores them. */
export function listColumns(database: SqliteDatabase, table: string): readonly string[] {
  const rows = database
    .prepare('select name from pragma_table_xinfo(?) where hidden <> 1 order by cid')
    .all([table]) as { name: string }[]
  return rows.map(({ name }) => name)
}

/**
 * Reads pages of a table's own columns, of which PostgreSQL can hold every value.
 * @throws Error that names the first row that holds a NUL character in a text: the driver reads such a text up to there
 * only, so the database is asked.
 */
export function createRowReader(
  database: SqliteDatabase,
  table: string,
  columns: readonly string[],
): (query: PageQuery) => RowPage {
  const read = createPageReader(database, table, [...columns.map(quoted), columnWithNul(database, table)])
  return query => {
    const page = read(query)
    for (const row of page.rows) {
      const column = row[columns.length + 1]
      if (column !== null)
        throw new Error(
          `row ${row[0]} of ${table} holds a NUL character in ${column}, which no text in PostgreSQL can hold: take it out ` +
            'of that row, then run this again',
        )
    }
    return page
  }
}

/** An expression that names the first column of a row with a NUL in its text, or is null. */
function columnWithNul(database: SqliteDatabase, table: string): string {
  const texts = database
    .prepare("select name from pragma_table_xinfo(?) where hidden <> 1 and upper(type) = 'TEXT'")
    .all([table]) as { name: string }[]
  const cases = texts.map(({ name }) => `when instr(${quoted(name)}, char(0)) > 0 then '${name}'`)
  return cases.length === 0 ? 'null' : `case ${cases.join(' ')} end`
}

/** Reads pages of a table; each is a moment of its own, so that a gateway that writes is not held up. */
export function createPageReader(
  database: SqliteDatabase,
  table: string,
  expressions: readonly string[],
): (query: PageQuery) => RowPage {
  const statement = database
    .prepare(
      `select rowid, ${expressions.join(', ')} from ${quoted(table)}` +
        ' where rowid > ? and rowid <= ? order by rowid limit ?',
    )
    .raw(true)
  return ({ afterRowId, throughRowId = rowIdMax, limit }) => {
    const rows = statement.all([afterRowId, throughRowId, limit]) as SqliteRow[]
    return { rows, lastRowId: rows.length < limit ? null : rowIdOf(rows.at(-1)) }
  }
}

const rowIdMax = 2n ** 63n - 1n

export function rowIdOf(row: SqliteRow | undefined): bigint {
  const rowId = row?.[0]
  if (typeof rowId !== 'bigint') throw new RangeError('a row has no number')
  return rowId
}
