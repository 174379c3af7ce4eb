import { sql } from 'kysely'
import type { Secret } from '../../../lib/secret.ts'
import { createPostgresSql, type PostgresSql } from '../postgres/kysely-on-postgres.ts'
import { createPostgresPool } from '../postgres/postgres-pool.ts'
import { type MoveMark, readMoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'

/** The PostgreSQL database that is filled, over one connection. */
export interface MoveTarget extends PostgresSql {
  end(): Promise<void>
}

/** The last step is one transaction, whose longest statement removes what an earlier attempt had written. */
const statementMs = 600_000
const versionMin = 140_000

/** @throws StoreUnavailable when it cannot be reached; Error when it is too old. */
export async function openTarget(url: Secret): Promise<MoveTarget> {
  const pool = createPostgresPool({ url, connections: 1, statementMs })
  const target = { ...withoutLimits(createPostgresSql(pool)), end: () => pool.end() }
  try {
    await target.snapshot(checkVersion)
    return target
  } catch (error) {
    await pool.end()
    throw error
  }
}

/**
 * Servers and roles are told to end what takes long or does nothing for a while, which is right for gateways. The last step
 * is one transaction, in which the server has nothing to do while the books of the SQLite store are added up.
 */
function withoutLimits(database: PostgresSql): PostgresSql {
  const unlimited =
    <T>(run: (sql: Sql) => Promise<T>) =>
    async (db: Sql) => {
      await liftLimits.execute(db)
      return await run(db)
    }
  return {
    each: database.each,
    transaction: run => database.transaction(unlimited(run)),
    snapshot: read => database.snapshot(unlimited(read)),
  }
}

/** Until the transaction's end. Which of them there are depends on the server's version. */
const liftLimits = sql`
  select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

async function checkVersion(target: Sql): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
    target,
  )
  if (Number(rows[0]?.version) < versionMin) throw new Error('PostgreSQL must be of version 14 or later')
}

/** What stands in a target that nothing was moved into. */
export interface TargetState {
  readonly mark: MoveMark | null
  readonly isEmpty: boolean
}

/** Tables that a gateway or a command fills with its first steps. */
const earlyTables = ['accounts', 'api_keys', 'transfers', 'holds', 'usage_records', 'idempotency_keys'] as const

/** A database without a schema is empty, too. */
export async function readTargetState(target: Sql): Promise<TargetState> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('settings') is not null as found`.execute(target)
  if (rows[0]?.found !== true) return { mark: null, isEmpty: true }
  for (const table of earlyTables) {
    const row = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target)
    if (row.rows.length > 0) return { mark: await readMoveMark(target), isEmpty: false }
  }
  return { mark: await readMoveMark(target), isEmpty: true }
}

/** @throws Error when the role may not make tables, which a database of somebody else's is made for. */
export async function checkMayCreate(target: Sql): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may`.execute(target)
  if (rows[0]?.may !== true)
    throw new Error('the role may not make tables in this database: let it own the database, or grant it CREATE')
}
