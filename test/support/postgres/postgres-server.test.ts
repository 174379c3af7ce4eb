import pg from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import {
  atPort,
  describePostgres,
  type PostgresServer,
  query,
  startPostgres,
  startStandby,
  type TestDatabase,
} from './index.ts'

describePostgres('a server of the test', () => {
  let server: PostgresServer
  let database: TestDatabase

  beforeAll(async () => {
    server = await startPostgres({ max_connections: 20 }, 'memory')
    database = await server.createDatabase()
    await query(database.url, 'CREATE TABLE entries (id bigint)')
  })

  beforeEach(() => query(database.url, 'TRUNCATE entries').then(() => undefined))

  const count = () => query(database.url, 'SELECT count(*)::int AS count FROM entries')
  const insert = () => query(database.url, 'INSERT INTO entries VALUES (1)')

  async function connected(): Promise<{ client: pg.Client; lost: Promise<Error> }> {
    const client = new pg.Client({ connectionString: database.url })
    const lost = new Promise<Error>(resolve => client.on('error', resolve))
    await client.connect()
    return { client, lost }
  }

  test.each(['fast', 'immediate'] as const)('keeps what was committed over a %s restart', async mode => {
    await insert()
    const { lost } = await connected()
    await server.restart(mode)
    await lost
    expect(await count()).toEqual([{ count: 1 }])
  })

  test('keeps what was committed when it is killed in the middle of other work', async () => {
    await insert()
    const { client, lost } = await connected()
    const sleep = expect(client.query('SELECT pg_sleep(60)')).rejects.toThrow()
    await waitFor('the query to run', async () => (await server.query(activeSleeps)).length)
    await server.kill()
    await Promise.all([sleep, lost])
    await expect(count()).rejects.toThrow('ECONNREFUSED')
    await server.start()
    expect(await count()).toEqual([{ count: 1 }])
  })

  test('ends the sessions of its clients, and takes new ones', async () => {
    const { lost } = await connected()
    expect(await server.terminateBackends('postgres')).toBe(0)
    expect(await server.terminateBackends(database.name)).toBe(1)
    expect((await lost).message).toContain('terminating connection')
    expect(await count()).toEqual([{ count: 0 }])
  })

  test('starts with the settings of the test and says in its error why it cannot', async () => {
    expect(await server.query('SHOW max_connections')).toEqual([{ max_connections: '20' }])
    await server.stop()
    await expect(server.start({ max_connections: 'many' })).rejects.toThrow('max_connections')
    await server.start({ max_connections: 20 })
  })
})

const activeSleeps = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'"

describePostgres('a standby', () => {
  test('has every commit of a killed primary, and takes writes once promoted', async () => {
    const primary = await startPostgres({}, 'memory')
    const database = await primary.createDatabase()
    await query(database.url, 'CREATE TABLE entries (id bigint)')
    const standby = await startStandby(primary)
    const insert = 'INSERT INTO entries SELECT generate_series(1, 1000)'
    await query(database.url, insert)
    await primary.kill()
    const replica = { url: atPort(database.url, standby.port) }
    await expect(query(replica.url, insert)).rejects.toThrow('read-only transaction')
    await standby.promote()
    await query(replica.url, insert)
    expect(await query(replica.url, 'SELECT count(*)::int AS count FROM entries')).toEqual([{ count: 2_000 }])
  })
})
