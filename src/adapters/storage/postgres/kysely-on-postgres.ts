import {
  Kysely,
  type PostgresPoolClient as KyselyClient,
  type PostgresPool as KyselyPool,
  PostgresDialect,
} from 'kysely'
import type { Snapshot } from '../sql/snapshot.ts'
import type { Sql, Tables } from '../sql/tables.ts'
import type { PostgresPool } from './postgres-pool.ts'

export interface PostgresSql {
  /** Runs each statement in a transaction of its own, so that its locks are gone when it has answered. */
  each<T>(run: (sql: Sql) => Promise<T>): Promise<T>
  /** Runs in one transaction; what it throws takes everything back. */
  transaction<T>(run: (sql: Sql) => Promise<T>): Promise<T>
  /** Reads that see the store at one moment. */
  readonly snapshot: Snapshot
}

/** Kysely over a pool that somebody else opens and closes. */
export function createPostgresSql(pool: PostgresPool): PostgresSql {
  const sql = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: asKyselyPool(pool) }) })
  return {
    each: run => run(sql),
    transaction: run => sql.transaction().execute(run),
    snapshot: read => sql.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
  }
}

function asKyselyPool(pool: PostgresPool): KyselyPool {
  return {
    async connect() {
      const client = await pool.connect()
      // Streams through cursors, for which the type has a second form, are not used.
      const query = (text: string, values: readonly unknown[]) =>
        client.query(text, isReading(text) ? values.map(nowhereWithNul) : values)
      return { query: query as KyselyClient['query'], release: () => client.release() }
    },
    end: () => Promise.resolve(),
  }
}

function isReading(text: string): boolean {
  return /^\s*(select|with)\b/i.test(text)
}

/**
 * No text in PostgreSQL holds a NUL, and the server does not even look for one. What a caller names with one is nowhere, so
 * it is looked for as what nothing is named. In what is written the server refuses it.
 */
function nowhereWithNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', noCharacter) : value
}

/** Unicode promises that it never becomes a character. */
const noCharacter = '\u{10FFFF}'
