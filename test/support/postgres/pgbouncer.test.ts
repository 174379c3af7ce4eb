import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase, describePgBouncer, query, startPgBouncer } from './index.ts'

describePgBouncer('PgBouncer', () => {
  test('gives a connection to a client for one transaction only', async () => {
    const database = await createDatabase()
    const bouncer = await startPgBouncer({ server: database, settings: { default_pool_size: 1 } })
    const clients = [1, 2].map(() => new pg.Client({ connectionString: bouncer.through(database.url) }))
    await Promise.all(clients.map(client => client.connect()))
    const backends = await Promise.all(clients.map(client => client.query('SELECT pg_backend_pid() AS pid')))
    expect(backends[0]?.rows).toEqual(backends[1]?.rows)
    await Promise.all(clients.map(client => client.end()))
    await bouncer.kill()
    await expect(query(bouncer.through(database.url), 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})
