import type { PostgresClient, PostgresPool } from '../src/adapters/storage/postgres/postgres-pool.ts'
import { withConnection } from '../test/support/postgres/database.ts'

/** A statement as it was sent. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A pool that remembers what is sent through it. */
export function recordStatements(pool: PostgresPool, sent: SentStatement[]): PostgresPool {
  return {
    ...pool,
    async connect() {
      const client = await pool.connect()
      const query: PostgresClient['query'] = (text, values = []) => {
        sent.push({ text, values })
        return client.query(text, values)
      }
      return { ...client, query, release: () => client.release() }
    },
  }
}

/** Plan lines that say how rows are found; the others say what becomes of them. */
const telling = /Scan|Sort|Aggregate|Index Cond|Limit|rows=/
const linesMax = 14

/** How the server answers the statement, as `EXPLAIN (ANALYZE, BUFFERS)` shows it, cut to the first lines that tell. */
export async function explain(url: string, { text, values }: SentStatement): Promise<string> {
  const explained = `explain (analyze, buffers, timing off, summary off, costs off) ${text}`
  const { rows } = await withConnection(url, client =>
    client.query<Record<'QUERY PLAN', string>>(explained, [...values]),
  )
  const lines = rows.map(row => row['QUERY PLAN'])
  const shown = lines.filter(line => telling.test(line)).slice(0, linesMax)
  const pages = lines.find(line => line.includes('Buffers:'))?.trim() ?? ''
  return [...shown, pages].join('\n')
}
