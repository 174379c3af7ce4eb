import { existsSync } from 'node:fs'
import { migrations } from '../sql/migrations/index.ts'
import type { Snapshot } from '../sql/snapshot.ts'
import type { Sql } from '../sql/tables.ts'
import { openReader, type SqliteDatabase } from '../sqlite/connection.ts'
import { createKysely } from '../sqlite/kysely-on-libsql.ts'

/** The SQLite store that is left. Everything is read over one connection that cannot write. */
export interface MoveSource {
  readonly path: string
  /** The id of its first account, which no other store has. */
  readonly sourceId: string
  readonly database: SqliteDatabase
  readonly sql: Sql
  readonly snapshot: Snapshot
  close(): void
}

/** @throws Error when there is no such store, or it is not one of this version. */
export async function openSource(path: string): Promise<MoveSource> {
  // Opening a file that is not there would make an empty one.
  if (!existsSync(path)) throw new Error(`there is no SQLite store ${path}: name it with --from sqlite:PATH`)
  const database = openReader(path)
  try {
    const sql = createKysely(database)
    await checkSchema(database, sql)
    const { id: sourceId } = await firstAccount(sql)
    return { path, sourceId, database, sql, snapshot: snapshotOf(database, sql), close: () => void database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

function snapshotOf(database: SqliteDatabase, sql: Sql): Snapshot {
  return async read => {
    database.exec('begin')
    try {
      return await read(sql)
    } finally {
      if (database.inTransaction) database.exec('commit')
    }
  }
}

async function checkSchema(database: SqliteDatabase, sql: Sql): Promise<void> {
  const isStore = database.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get([])
  if (isStore === undefined) throw new Error('the file given with --from is no store of this program')
  const { newest } = await sql
    .selectFrom('schema_migrations')
    .select(select => select.fn.max('number').as('newest'))
    .executeTakeFirstOrThrow()
  const number = Number(newest)
  if (number < migrations.length)
    throw new Error('the SQLite store was written by an older version: start the gateway of this version on it once')
  if (number > migrations.length)
    throw new Error('the SQLite store was written by a newer version: move it with that version')
}

async function firstAccount(sql: Sql): Promise<{ readonly id: string }> {
  const account = await sql.selectFrom('accounts').select('id').orderBy('no').limit(1).executeTakeFirst()
  if (account === undefined)
    throw new Error('the SQLite store holds no account: there is nothing to move, so start the gateway on PostgreSQL')
  return account
}
