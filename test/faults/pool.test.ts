import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createPostgresPool, type PostgresPool } from '../../src/adapters/storage/postgres/postgres-pool.ts'
import { StoreUnavailable } from '../../src/core/store-error.ts'
import { Secret } from '../../src/lib/secret.ts'
import { openPostgres } from '../conformance/open-test-storage.ts'
import { quickestMs } from '../support/lapse.ts'
import { password } from '../support/postgres/database.ts'
import { createDatabase, describePostgres, query, type TestDatabase } from '../support/postgres/index.ts'
import { waitFor } from '../support/wait-for.ts'

const statementMs = 5_000

describePostgres('a pool of connections', () => {
  let database: TestDatabase
  let pool: PostgresPool
  beforeAll(async () => {
    database = await createDatabase()
  })
  beforeEach(() => {
    pool = createPostgresPool({ url: new Secret(database.url), connections: 2, statementMs })
    const { end } = pool
    let ending: Promise<void> | undefined
    pool = { ...pool, end: () => (ending ??= end()) }
    onTestFinished(() => pool.end())
  })

  const backends = async () => {
    const text = "SELECT pid, query FROM pg_stat_activity WHERE datname = $1 AND application_name = 'rialto'"
    return query<{ pid: number; query: string }>(database.url, text, [database.name])
  }

  it('leaves connections that may be dead, and breaks off what waits on them', async () => {
    const [before] = await pool.query('select pg_backend_pid() as pid')
    const waiting = pool.query('select pg_sleep(60)').catch((error: unknown) => error)
    await waitFor('it to run', async () => (await backends()).some(({ query: text }) => text.includes('pg_sleep')))
    pool.renew()
    const [after] = await pool.query('select pg_backend_pid() as pid')
    expect(after?.['pid']).not.toBe(before?.['pid'])
    pool.cutOld()
    expect(await waiting).toBeInstanceOf(StoreUnavailable)
  })

  it('does not use a connection again on which a statement took too long, not even to take it back', async () => {
    const slow = createPostgresPool({ url: new Secret(database.url), connections: 1, statementMs: 200 })
    onTestFinished(() => slow.end())
    const client = await slow.connect()
    await client.query('begin')
    await expect(client.query('select pg_sleep(1)')).rejects.toThrow(StoreUnavailable)
    const refusedMs = await quickestMs(() => expect(client.query('rollback')).rejects.toThrow(StoreUnavailable))
    expect(refusedMs).toBeLessThan(100)
    client.release()
    expect(await slow.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('tells of a lost connection once, and not of one that is old by then', async () => {
    let lost = 0
    const told = createPostgresPool({ url: new Secret(database.url), connections: 2, statementMs, onLost })
    onTestFinished(() => told.end())
    function onLost(): void {
      lost += 1
      told.renew()
    }
    const clients = [await told.connect(), await told.connect()]
    for (const { pid } of await backends()) await query(database.url, 'SELECT pg_terminate_backend($1)', [pid])
    for (const client of clients) {
      await expect(client.query('select 1')).rejects.toThrow(StoreUnavailable)
      client.release()
    }
    expect(lost).toBe(1)
    expect(await told.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('survives that its connections end while nobody uses them, and while somebody does', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await pool.query('select 1')
    for (const { pid } of await backends()) await query(database.url, 'SELECT pg_terminate_backend($1)', [pid])
    await expect(client.query('select 1')).rejects.toThrow(StoreUnavailable)
    client.release()
    await waitFor('another one', () => pool.query('select 1').catch(() => null))
  })

  it('leaves a server that takes no writes', async () => {
    const client = await pool.connect()
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0]?.['pid']
    await client.query('begin read only')
    await expect(client.query('create table written (id bigint)')).rejects.toThrow(StoreUnavailable)
    client.release()
    await waitFor('it to be gone', async () => !(await backends()).some(backend => backend.pid === pid))
  })

  it('ends although somebody waits for a statement', async () => {
    const waiting = pool.query('select pg_sleep(60)').catch((error: unknown) => error)
    await waitFor('it to run', async () => (await backends()).some(({ query: text }) => text.includes('pg_sleep')))
    const beganMs = performance.now()
    await pool.end()
    expect(performance.now() - beganMs).toBeLessThan(statementMs)
    expect(await waiting).toBeInstanceOf(StoreUnavailable)
  })

  it('that cannot be opened tells the operator what to do, and no secret', async () => {
    const url = new URL(database.url)
    url.port = '1'
    const error = await openPostgres(url.href).catch((caught: unknown) => caught)
    expect(String(error)).toContain('PostgreSQL cannot be used (ECONNREFUSED): start it, or correct store')
    expect(String(error)).not.toContain(password)
  })

  it('says why it cannot connect by a code, and not where to', async () => {
    const url = new URL(database.url)
    url.port = '1'
    const nowhere = createPostgresPool({ url: new Secret(url.href), connections: 1, statementMs })
    const error = await nowhere.query('select 1').catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'StoreUnavailable', cause: { code: 'ECONNREFUSED' } })
    expect(JSON.stringify([String(error), String((error as Error).cause)])).not.toContain('127.0.0.1')
  })
})
