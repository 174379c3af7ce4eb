import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { beforeAll, describe, expect, it } from 'vitest'
import { BooksDiffer } from '../../src/adapters/storage/move/books-differ.ts'
import { usd } from '../conformance/builders.ts'
import { makeFolder } from '../conformance/make-folder.ts'
import { addCustomer, openPostgres, openSqlite } from '../conformance/open-test-storage.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'
import { rialto, useInstallation } from './installation.ts'
import { fillStore } from './move/fill-store.ts'
import { move } from './move/move-in-process.ts'

const template = useInstallation()

beforeAll(async () => {
  const storage = await openSqlite(join(template.folder, 'rialto.db'))
  await fillStore(storage, { accounts: 2, records: 20 })
  await storage.close()
})

/** A small store that no gateway has open. */
async function makeStore(): Promise<string> {
  const path = join(makeFolder(), 'rialto.db')
  await copyFile(join(template.folder, 'rialto.db'), path)
  return path
}

/** Another deployment, of which nothing is in the other stores. */
async function makeOtherStore(): Promise<string> {
  const path = join(makeFolder(), 'rialto.db')
  const storage = await openSqlite(path)
  await addCustomer(storage)
  await storage.close()
  return path
}

function change(path: string, statement: string): void {
  const database = new Database(path)
  database.exec(statement)
  database.close()
}

/** A store that was left takes no writes, from a command neither. */
async function expectStillUsable(path: string): Promise<void> {
  const storage = await openSqlite(path, 'command')
  await addCustomer(storage, { balanceNano: usd })
  await storage.close()
}

describePostgres('a move is refused, and the old store stays in use,', () => {
  it('when the database has accounts of its own', async () => {
    const path = await makeStore()
    const { url } = await createDatabase()
    const own = await openPostgres(url, 'command')
    await addCustomer(own)
    await own.close()
    await expect(move({ path, url })).rejects.toThrow('holds accounts or records of its own')
    await expect(move({ path, url, dryRun: true })).rejects.toThrow('Give the address of an empty database')
    await expectStillUsable(path)
  })

  it('when the database is being filled from another store', async () => {
    const { url } = await createDatabase()
    const path = await makeStore()
    const gateway = await openSqlite(path)
    await expect(move({ path, url, waitMs: 0 })).rejects.toThrow('the gateway still runs')
    await gateway.close()
    await expect(move({ path: await makeOtherStore(), url })).rejects.toThrow('the move of another SQLite store')
    await expectStillUsable(path)
  })

  it('when nobody stops the gateway in time; what was copied stays', async () => {
    const path = await makeStore()
    const { url } = await createDatabase()
    const gateway = await openSqlite(path)
    await expect(move({ path, url, waitMs: 300 })).rejects.toThrow(/after 0 s: nothing was changed.*run this again/)
    expect(await query(url, 'select count(*) from usage_records')).toEqual([{ count: '20' }])
    await gateway.close()
    expect(await move({ path, url })).toMatchObject({ usageRecords: 20 })
  })

  it('when a text holds what PostgreSQL cannot, and the row is named', async () => {
    const path = await makeStore()
    change(path, "update api_keys set label = 'a' || char(0) || 'b' where no = 2")
    const { url } = await createDatabase()
    const named = 'row 2 of api_keys holds a NUL character in label'
    await expect(move({ path, url, dryRun: true })).rejects.toThrow(named)
    await expect(move({ path, url })).rejects.toThrow(named)
    await expectStillUsable(path)
  })

  it('when the books of the old store do not agree', async () => {
    const path = await makeStore()
    change(path, 'update accounts set credited_nano = credited_nano + 1, balance_nano = balance_nano + 1 where no = 1')
    const { url } = await createDatabase()
    for (const dryRun of [true, false]) {
      const failure = await move({ path, url, dryRun }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(BooksDiffer)
      expect((failure as BooksDiffer).problems.join()).toContain('SQLite: account ')
    }
    await expect(openPostgres(url)).rejects.toThrow('the move is not complete')
    await expectStillUsable(path)
  })

  it.each([
    [
      'a record',
      "update usage_records set details = replace(details, 'cmpl-1', 'cmpl-2'), cost_nano = 1 where hold_seq = 2",
    ],
    ['a transfer', 'update transfers set amount_nano = amount_nano + 1 where seq = 5'],
  ])('when %s has changed in the database', async (_, statement) => {
    const path = await makeStore()
    const { url } = await createDatabase()
    const gateway = await openSqlite(path)
    await expect(move({ path, url, waitMs: 0 })).rejects.toThrow('the gateway still runs')
    await gateway.close()
    await query(url, statement)
    const failure = await move({ path, url }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(BooksDiffer)
    expect((failure as BooksDiffer).problems.join()).toMatch(/PostgreSQL: .*SQLite says /)
    await expectStillUsable(path)
  })

  it.each([
    [
      'a balance',
      'update accounts set credited_nano = credited_nano + 1, balance_nano = balance_nano + 1 where no = 1',
    ],
    ['a record that came later', 'update usage_records set cost_nano = cost_nano - 1 where hold_seq = 25'],
    ['a transfer that came later', "update transfers set note = 'x' where seq = (select max(seq) from transfers)"],
  ])('when %s goes wrong in the old store after the first pass', async (_, statement) => {
    const path = await makeStore()
    const { url } = await createDatabase()
    const gateway = await openSqlite(path)
    const failure = await move({
      path,
      url,
      async whenAsked() {
        await fillStore(gateway, { accounts: 1, records: 10 })
        change(path, statement)
        await gateway.close()
      },
    }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(BooksDiffer)
    expect((failure as BooksDiffer).problems.join()).toContain('SQLite: ')
    await expectStillUsable(path)
  })

  it('when the store was never opened by this version, or is none', async () => {
    const path = await makeStore()
    const { url } = await createDatabase()
    change(path, 'delete from schema_migrations where number = (select max(number) from schema_migrations)')
    await expect(move({ path, url })).rejects.toThrow('start the gateway of this version on it once')
    change(path, 'drop table schema_migrations')
    await expect(move({ path, url })).rejects.toThrow('no store of this program')
    await expect(move({ path: `${path}.not`, url })).rejects.toThrow('there is no SQLite store')
    const empty = await openSqlite(`${path}.empty`)
    await empty.close()
    await expect(move({ path: `${path}.empty`, url })).rejects.toThrow('there is nothing to move')
  })
})

describePostgres('a dry run', () => {
  it('counts what would be moved and changes nothing, beside a gateway that runs', async () => {
    const path = await makeStore()
    const { url } = await createDatabase()
    const gateway = await openSqlite(path)
    const report = await move({ path, url, dryRun: true })
    expect(report).toMatchObject({ accounts: 2, apiKeys: 2, transfers: 20, usageRecords: 20, downtimeSeconds: 0 })
    expect(await query(url, "select 1 from pg_class where relname = 'accounts'")).toEqual([])
    await gateway.close()
    await expectStillUsable(path)
  })
})

describe('the command line of a move', () => {
  const installation = useInstallation()
  const word = 'migrate sqlite-to-postgres'

  it.each([
    ['', '--to or --to-env is missing'],
    ['--to postgres://h/d --to-env X', 'Give --to or --to-env, not both'],
    ['--to-env NOT_SET', 'the variable NOT_SET must hold an address such as postgres://'],
    ['--to mysql://u:hidden-word@h/d', '--to must hold an address such as postgres://'],
    ['--to postgres://h/d --from data.db', '--from must be sqlite:FILE'],
    ['--to postgres://h/d --wait soon', '--wait must be a whole number'],
  ])('%s is refused: %s', async (parameters, text) => {
    const words = `${word} ${parameters}`.trim().split(' ')
    const refused = await rialto(installation, words)
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(text) })
    expect(refused.stderr).not.toContain('hidden-word')
  })

  it('a server that does not answer is said, without its address', async () => {
    const path = await makeStore()
    const words = [...word.split(' '), '--from', `sqlite:${path}`, '--to', 'postgres://u:hidden-word@127.0.0.1:9/d']
    const refused = await rialto(installation, words)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('PostgreSQL cannot be reached') })
    expect(refused.stderr).not.toContain('hidden-word')
  })
})
