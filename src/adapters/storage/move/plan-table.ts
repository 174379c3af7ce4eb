import { sql } from 'kysely'
import type { Sql } from '../sql/tables.ts'
import type { SqliteDatabase } from '../sqlite/connection.ts'
import { derivationOf } from './derived-columns.ts'
import { listColumns, listTables } from './source-tables.ts'

/** A table as both stores have it: what is read from the one, and what is written into the other. */
export interface MovedTable {
  readonly name: string
  /** Of the source, in its order. */
  readonly columns: readonly string[]
  /** Of the target: those of the source in the same order, then those that are computed. */
  readonly written: readonly WrittenColumn[]
}

interface WrittenColumn {
  readonly name: string
  /** PostgreSQL's name of the type. */
  readonly type: string
}

interface CatalogueColumn extends WrittenColumn {
  /** By a default or a number of its own, or it may be null. */
  readonly isFilled: boolean
}

export interface MovedTables {
  /** In the order in which they can be filled. */
  readonly names: readonly string[]
  get(name: string): MovedTable
}

/**
 * Every table of the source, found in both catalogues, so that one that is added later comes along by itself.
 * @throws Error when a table or a column of either store would be left without its content.
 */
export async function planTables(source: SqliteDatabase, target: Sql): Promise<MovedTables> {
  const planned = new Map<string, MovedTable>()
  for (const name of listTables(source)) planned.set(name, await planTable(target, name, listColumns(source, name)))
  return {
    names: [...planned.keys()],
    get(name) {
      const table = planned.get(name)
      if (table === undefined) throw new TypeError(`there is no table ${name}`)
      return table
    },
  }
}

async function planTable(target: Sql, name: string, columns: readonly string[]): Promise<MovedTable> {
  const catalogue = await readCatalogue(target, name)
  const written = columns.map(column => {
    const found = catalogue.find(candidate => candidate.name === column)
    if (found === undefined) throw unmovable(`PostgreSQL has no column ${name}.${column}`)
    return found
  })
  const others = catalogue.filter(({ name: column }) => !columns.includes(column))
  const computed = others.filter(column => derivationOf(name, column.name) !== null)
  const empty = others.find(column => !computed.includes(column) && !column.isFilled)
  if (empty !== undefined) throw unmovable(`nothing gives ${name}.${empty.name} a value`)
  return { name, columns, written: [...written, ...computed] }
}

async function readCatalogue(target: Sql, table: string): Promise<readonly CatalogueColumn[]> {
  const { rows } = await sql<CatalogueColumn>`
    select attname as name, format_type(atttypid, atttypmod) as type,
           (not attnotnull or atthasdef or attidentity <> '') as "isFilled"
    from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped
    order by attnum`.execute(target)
  if (rows.length === 0) throw unmovable(`PostgreSQL has no table ${table}`)
  return rows
}

function unmovable(what: string): Error {
  return new Error(`${what}: this version cannot move the store; nothing was changed. Please report it`)
}
