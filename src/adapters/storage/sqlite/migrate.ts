import type { Kysely } from 'kysely'
import type { Migration } from '../sql/migrations/migration.ts'
import type { SqliteDatabase } from './connection.ts'
import { createKysely } from './kysely-on-libsql.ts'
import { sqliteTraits } from './sqlite-traits.ts'

/**
 * Brings the schema up to date in one transaction: all steps or none. The write lock is taken first, so that of two
 * processes that start together the second finds the work done.
 * @throws Error when the file was written by a newer version, which this one must not touch.
 */
export async function migrate(
  database: SqliteDatabase,
  migrations: readonly Migration[],
  nowMs: number,
): Promise<void> {
  database.exec('begin immediate')
  try {
    database.exec(
      'create table if not exists schema_migrations' +
        ' (number integer primary key, name text not null, applied_at_ms integer not null) strict',
    )
    await applyMissing(database, migrations, nowMs)
    database.exec('commit')
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

async function applyMissing(database: SqliteDatabase, migrations: readonly Migration[], nowMs: number): Promise<void> {
  const sql = createKysely(database)
  const applied = await sql.selectFrom('schema_migrations').select('number').execute()
  const newest = applied.reduce((number, row) => Math.max(number, Number(row.number)), 0)
  if (newest > migrations.length)
    throw new Error(`the database has schema ${newest}, this version knows ${migrations.length}: use a newer version`)
  for (const migration of migrations.slice(newest)) {
    await migration.up(sql as Kysely<unknown>, sqliteTraits)
    const { number, name } = migration
    await sql.insertInto('schema_migrations').values({ number, name, applied_at_ms: nowMs }).execute()
  }
}
