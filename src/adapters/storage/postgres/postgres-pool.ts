import { Pool, type PoolClient } from 'pg'
import type { Secret } from '../../../lib/secret.ts'
import { hideInnards, losesConnection } from './postgres-fault.ts'

export interface PoolOptions {
  readonly url: Secret
  /** Connections at most. */
  readonly connections: number
  /** How long one statement may take before its connection is given up. */
  readonly statementMs: number
  /** Told when a connection that is not old was lost: those from the same time may be as dead, without a sign. */
  readonly onLost?: () => void
}

export interface PostgresClient {
  /** @throws StoreUnavailable when the connection is lost or the time is over; otherwise the server's own error. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>
  /** Gives the connection back; one that was lost is closed instead. */
  release(): void
}

interface Answer<Row> {
  readonly rows: Row[]
  readonly rowCount: number | null
  readonly command: string
}

export interface PostgresPool {
  /** @throws StoreUnavailable when no connection can be had in time. */
  connect(): Promise<PostgresClient>
  /** One statement in a transaction of its own. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** From now on uses new connections only: those there are may be dead without a sign, or lead to a former primary. */
  renew(): void
  /** Breaks off what still runs on connections from before the last `renew`: it waits for an answer that never comes. */
  cutOld(): void
  /** Waits, within a bound, for what runs. */
  end(): Promise<void>
}

/** One set of connections, until it is replaced by the next. */
interface Generation {
  readonly pool: Pool
  readonly inUse: Set<PoolClient>
}

const connectMs = 3_000
const idleMs = 30_000
const keepAliveMs = 10_000
const endMs = 2_000

/**
 * A bounded set of connections. Nothing is set per session and no statement is prepared by name, so that a pooler in
 * transaction mode may stand between (PgBouncer). Limits of time are kept on this side for the same reason.
 */
export function createPostgresPool(options: PoolOptions): PostgresPool {
  let current = openGeneration(options)
  let old: Generation[] = []

  function renew(): void {
    old = old.filter(({ inUse }) => inUse.size > 0)
    old.push(current)
    // Resolves when the last connection in use is given back; nobody waits for that.
    current.pool.end().catch(ignore)
    current = openGeneration(options)
  }

  function cutOld(): void {
    for (const generation of old) cut(generation)
  }

  async function connect(): Promise<PostgresClient> {
    const generation = current
    const { pool, inUse } = generation
    try {
      const client = await pool.connect()
      inUse.add(client)
      return wrapClient(client, {
        onLost() {
          if (generation === current) options.onLost?.()
        },
        onRelease: () => inUse.delete(client),
      })
    } catch (error) {
      throw hideInnards(error)
    }
  }

  return {
    connect,
    async query(text, values) {
      const client = await connect()
      try {
        return (await client.query<never>(text, values)).rows
      } finally {
        client.release()
      }
    },
    renew,
    cutOld,
    async end() {
      const force = setTimeout(() => [...old, current].forEach(cut), endMs)
      await current.pool.end()
      clearTimeout(force)
    },
  }
}

function openGeneration({ url, connections, statementMs }: PoolOptions): Generation {
  const pool = new Pool({
    connectionString: url.reveal(),
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'rialto',
  })
  // A connection that breaks while nobody uses it is replaced with the next use; there is nobody to tell. The driver may
  // tell of one break twice, also after the connection was given back.
  pool.on('error', ignore)
  pool.on('connect', client => client.on('error', ignore))
  return { pool, inUse: new Set() }
}

/** A connection that is closed while a statement runs makes that statement fail. */
function cut({ inUse }: Generation): void {
  for (const client of inUse) client.end().catch(ignore)
}

interface ClientEvents {
  onLost(): void
  onRelease(): void
}

function wrapClient(client: PoolClient, { onLost, onRelease }: ClientEvents): PostgresClient {
  let lost: Error | null = null
  client.on('error', remember)
  function remember(error: Error): void {
    if (lost === null) onLost()
    lost = error
  }
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      // Behind a statement that was given up another one, such as a ROLLBACK, would wait as long again.
      if (lost !== null) throw hideInnards(lost)
      try {
        // What a statement's rows look like is known to those who wrote it.
        return (await client.query(text, [...values])) as Pick<Answer<never>, keyof Answer<Row>>
      } catch (error) {
        if (losesConnection(error)) remember(asError(error))
        throw hideInnards(error)
      }
    },
    release() {
      onRelease()
      client.off('error', remember)
      client.release(lost ?? undefined)
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the connection failed')
}

function ignore(): void {
  // Whoever uses the connection next is told.
}
