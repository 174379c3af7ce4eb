import { parseArgs } from 'node:util'
import { createPostgresSql } from '../src/adapters/storage/postgres/kysely-on-postgres.ts'
import { migrate } from '../src/adapters/storage/postgres/migrate.ts'
import { postgresMigrations } from '../src/adapters/storage/postgres/migrations/index.ts'
import { createPoolStores } from '../src/adapters/storage/postgres/pool-stores.ts'
import { createPostgresPool } from '../src/adapters/storage/postgres/postgres-pool.ts'
import { Secret } from '../src/lib/secret.ts'
import { superuser, urlOf } from '../test/support/postgres/database.ts'
import { PostgresServer } from '../test/support/postgres/postgres-server.ts'
import { fiftyMillion, million } from '../test/usage/extents.ts'
import { type Extent, generateRows } from '../test/usage/generate-rows.ts'
import { measureQueries, tableOf } from '../test/usage/measure-queries.ts'
import { queryKinds } from '../test/usage/query-kinds.ts'
import { quickServer } from '../test/usage/quick-server.ts'
import { measureIndexes } from './index-costs.ts'
import { explain, recordStatements, type SentStatement } from './query-plans.ts'

/*
 * What billing pages and a dashboard ask of usage records on PostgreSQL: how long it takes, how the server finds it, and
 * what each index costs a settlement. The server is its own, in the system's temporary folder (TMPDIR).
 */

const usage = `Usage: npx tsx bench/usage-queries.ts [--rows 1m|50m] [--runs 100] [--plans] [--indexes]`

const statementMs = 600_000

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1m' },
    runs: { type: 'string', default: '100' },
    plans: { type: 'boolean', default: false },
    indexes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else await measure(values.rows === '50m' ? fiftyMillion : million)

async function measure(extent: Extent): Promise<void> {
  const server = await PostgresServer.create({ ...quickServer, shared_buffers: extent === million ? '256MB' : '4GB' })
  const { url, name: database } = await server.createDatabase()
  const sent: SentStatement[] = []
  const pool = createPostgresPool({ url: new Secret(url), connections: 1, statementMs })
  const sql = createPostgresSql(recordStatements(pool, sent))
  const { usage: store } = createPoolStores(sql, sql)
  try {
    await migrate(sql, postgresMigrations, 0)
    await generateRows(url, extent)
    const kinds = queryKinds(extent)
    const control = () => server.query('select sum(i) from generate_series(1, 30000) i')
    const { figures, slowdown } = await measureQueries({ store, kinds, runs: Number(values.runs), control })
    console.log(`${tableOf(figures)}\n\nThe machine was ${slowdown.toFixed(1)} times slower than at its best.`)
    if (values.plans)
      for (const { name, prepare } of kinds) {
        const ask = await prepare(store, 5)
        sent.length = 0
        await ask()
        for (const statement of sent.filter(({ text }) => / usage_/.test(text)))
          console.log(`\n### ${name}\n\n${await explain(url, statement)}`)
      }
    if (values.indexes)
      console.table(
        await measureIndexes(urlOf(server.port, superuser, database), `usage_records_day_${extent.lastDay}`),
      )
  } finally {
    await pool.end()
    await server.remove()
  }
}
