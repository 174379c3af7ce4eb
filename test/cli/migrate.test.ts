import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Gateway } from '../support/gateway/index.ts'
import { verifyByCommand } from '../support/gateway/ledger-check.ts'
import { createDatabase, describePostgres, type TestDatabase } from '../support/postgres/index.ts'
import { MigrateProcess, type Migration, migrate } from './move/migrate-process.ts'

const setUpMs = 60_000
const repeated = { headers: { 'idempotency-key': 'asked-before-the-move' } }

/** Points the installation's gateway at another store. */
async function useStore({ installation }: Gateway, store: string): Promise<void> {
  const settings = JSON.parse(await readFile(installation.configFile, 'utf8')) as object
  await writeFile(installation.configFile, JSON.stringify({ ...settings, store }))
}

function sqliteOf({ installation }: Gateway): string {
  return `sqlite:${installation.folder}/data/rialto.db`
}

/** Asks one after the other until it is told to stop; an answer that breaks off with the gateway is the last one. */
async function keepAsking(gateway: Gateway, signal: AbortSignal): Promise<number> {
  for (let answered = 0; ; ) {
    const answer = await gateway.client.chat().catch(() => null)
    if (answer?.status === 200) answered += 1
    if (answer === null || signal.aborted) return answered
  }
}

async function statementOf(gateway: Gateway, name: string) {
  const account = await gateway.rialtoJson<object>('account', 'show', name)
  return { account, statement: await gateway.rialtoJson<object>('ledger', 'statement', name) }
}

describePostgres('a deployment that is moved from SQLite to PostgreSQL while it runs', () => {
  let gateway: Gateway
  let database: TestDatabase
  let migration: Migration
  const before = { generation: '', explained: {}, replayed: '', askedWhileCopied: 0, books: {} }

  beforeAll(async () => {
    database = await createDatabase()
    gateway = await Gateway.start({ accounts: { poor: { credit: 0.001, mode: 'strict' } } })
    const answered = await gateway.client.chat()
    before.generation = answered.json.id ?? ''
    before.replayed = (await gateway.client.chat({}, repeated)).text
    const end = new AbortController()
    const asking = keepAsking(gateway, end.signal)
    const running = new MigrateProcess(gateway.installation, { url: database.url, parameters: ['--json'] })
    await running.asksToStop()
    before.explained = (await gateway.client.generation(before.generation)) ?? {}
    await gateway.process.stop()
    end.abort()
    before.askedWhileCopied = await asking
    migration = await running.ended
    before.books = await statementOf(gateway, 'main')
  }, setUpMs)
  afterAll(() => gateway?.close())

  it('says what was moved, in one object, and shows no address', () => {
    expect(migration).toMatchObject({ code: 0 })
    expect(before.askedWhileCopied).toBeGreaterThan(0)
    expect(JSON.parse(migration.stdout)).toMatchObject({
      ok: true,
      dryRun: false,
      accounts: 3,
      holdsOpen: 0,
      idempotencyKeys: 1,
      usageRecords: before.askedWhileCopied + 2,
      problems: [],
    })
    expect(migration.stdout + migration.stderr).not.toContain('a-database-password')
  })

  it('has the same books on both sides, and both verify', async () => {
    const left = await verifyByCommand(gateway.installation)
    await useStore(gateway, database.url)
    expect(await verifyByCommand(gateway.installation)).toEqual(left)
    expect(left).toMatchObject({ ok: true, problems: [] })
    expect(await statementOf(gateway, 'main')).toEqual(before.books)
  })

  it('goes on with the keys, the answers and the explanations of before', async () => {
    await gateway.serve()
    expect(await gateway.client.generation(before.generation)).toEqual(before.explained)
    const replay = await gateway.client.chat({}, repeated)
    expect(replay).toMatchObject({ status: 200, text: before.replayed })
    expect((await gateway.client.chat()).status).toBe(200)
    expect((await gateway.client.chat({}, { key: gateway.account('poor').key })).status).toBe(200)
    const report = await verifyByCommand(gateway.installation)
    expect(report).toMatchObject({ ok: true, usageRecords: before.askedWhileCopied + 4 })
  })

  it('is not moved a second time', async () => {
    const again = await migrate(gateway.installation, {
      url: database.url,
      parameters: ['--from', sqliteOf(gateway)],
    })
    expect(again.code).toBe(1)
    expect(again.stderr).toMatch(/nothing left to do: this deployment was moved to PostgreSQL/)
    const undone = await gateway.rialto(
      'migrate',
      'undo',
      '--to',
      database.url,
      '--discard',
      '--from',
      sqliteOf(gateway),
    )
    expect(undone).toMatchObject({ code: 1, stderr: expect.stringContaining('a gateway runs on the PostgreSQL') })
  })

  it('takes no money on the store that was left, and says where it went', async () => {
    await gateway.process.stop()
    await useStore(gateway, sqliteOf(gateway))
    await gateway.serve({ untilReady: false })
    expect(await gateway.process.exited).toMatchObject({ code: 1 })
    expect(gateway.process.output).toMatch(/moved to PostgreSQL on .*set `store` in rialto.yaml.*rialto migrate undo/)
    const credited = await gateway.rialto('credit', 'main', '5')
    expect(credited).toMatchObject({ code: 1, stderr: expect.stringContaining('moved to PostgreSQL') })
    expect(await verifyByCommand(gateway.installation)).toMatchObject({ ok: true })
  })

  it('goes back on purpose, knowing what is lost', async () => {
    const undo = ['migrate', 'undo', '--to', database.url]
    const refused = await gateway.rialto(...undo)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('would be lost') })
    expect(await gateway.rialto(...undo, '--discard')).toMatchObject({ code: 0 })
    await gateway.serve()
    expect((await gateway.client.chat()).status).toBe(200)
    await useStore(gateway, database.url)
    const refusedThere = await gateway.rialto('account', 'list')
    expect(refusedThere).toMatchObject({ code: 1, stderr: expect.stringContaining('was undone') })
  })
})
