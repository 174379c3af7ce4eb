import { type Kysely, sql } from 'kysely'
import type { Migration } from '../sql/migrations/migration.ts'
import type { Sql } from '../sql/tables.ts'
import type { PostgresSql } from './kysely-on-postgres.ts'
import { postgresTraits } from './postgres-traits.ts'

/** Any number will do, as long as nothing else in the database locks by it: the first letters of the name. */
const migrationLock = 0x7269616c

/**
 * Brings the schema up to date in one transaction: all steps or none. A lock that lives as long as the transaction lets
 * one process do it while others that start at the same time wait, also behind a pooler in transaction mode.
 * @throws Error when the database was written by a newer version, which this one must not touch.
 */
export async function migrate(database: PostgresSql, migrations: readonly Migration[], nowMs: number): Promise<void> {
  await database.transaction(async db => {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db)
    await sql`create table if not exists schema_migrations (number bigint primary key, name text not null, applied_at_ms bigint not null)`.execute(
      db,
    )
    await applyMissing(db, migrations, nowMs)
  })
}

async function applyMissing(db: Sql, migrations: readonly Migration[], nowMs: number): Promise<void> {
  const applied = await db.selectFrom('schema_migrations').select('number').execute()
  const newest = applied.reduce((number, row) => Math.max(number, Number(row.number)), 0)
  if (newest > migrations.length)
    throw new Error(`the database has schema ${newest}, this version knows ${migrations.length}: use a newer version`)
  for (const migration of migrations.slice(newest)) {
    await migration.up(db as Kysely<unknown>, postgresTraits)
    const { number, name } = migration
    await db.insertInto('schema_migrations').values({ number, name, applied_at_ms: nowMs }).execute()
  }
}
