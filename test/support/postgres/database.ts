import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The account that owns the tests' databases. Not a superuser, as in a careful installation. */
export const applicationRole = 'rialto'
export const superuser = 'postgres'
/** Of both. Easy to find in a log or an answer, where it must not be. */
export const password = 'a-database-password'

const connectMs = 10_000
const statementMs = 60_000

export interface TestDatabase {
  /** `postgres://rialto:…@127.0.0.1:PORT/NAME` */
  readonly url: string
  readonly name: string
  readonly port: number
  /** Ends its connections and removes it. */
  drop(): Promise<void>
}

export interface DatabaseOptions {
  /** `en-US` (default) orders text as most production databases do; `C` by bytes, as SQLite does. */
  readonly collation?: 'en-US' | 'C'
}

export function urlOf(port: number, role: string, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
}

/** The same database through another port: of a proxy, a pooler, a standby. */
export function atPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}

/** The same database as the server's superuser. */
export function asSuperuser(url: string): string {
  const changed = new URL(url)
  changed.username = superuser
  return changed.href
}

/** Runs SQL on a connection of its own. Throws what the server says. */
export function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return withConnection(url, async client => (await client.query<Row>(text, [...parameters])).rows)
}

/** Several statements on one connection, which is closed afterwards. Each may take `queryMs`. */
export async function withConnection<Value>(
  url: string,
  run: (client: pg.Client) => Promise<Value>,
  { queryMs = statementMs }: { readonly queryMs?: number } = {},
): Promise<Value> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
  })
  // A server that is killed in between fails the query, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/** A fresh, empty database on a server. PostgreSQL 14 knows only the collations of the system, so that it gets `C`. */
export async function createDatabaseOn(port: number, options: DatabaseOptions = {}): Promise<TestDatabase> {
  const adminUrl = urlOf(port, superuser, 'postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  await withConnection(adminUrl, async client => {
    const { rows } = await client.query("SELECT current_setting('server_version_num')::int >= 150000 AS modern")
    const linguistic = rows[0].modern && options.collation !== 'C'
    const locale = linguistic ? "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" : ''
    await client.query(`CREATE DATABASE ${name} OWNER ${applicationRole} TEMPLATE template0 ${locale}`)
  })
  return {
    name,
    port,
    url: urlOf(port, applicationRole, name),
    async drop() {
      await query(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}
