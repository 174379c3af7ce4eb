import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { usd } from '../conformance/builders.ts'
import { makeFolder } from '../conformance/make-folder.ts'
import { addCustomer, openPostgres, openSqlite } from '../conformance/open-test-storage.ts'
import type { Installation } from '../support/gateway/rialto-command.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'
import { useInstallation } from './installation.ts'
import { fillStore } from './move/fill-store.ts'
import { migrate } from './move/migrate-process.ts'
import { move } from './move/move-in-process.ts'

const template = useInstallation()
const fileIn = (folder: string) => join(folder, 'data', 'rialto.db')
const setUpMs = 60_000
/** Each of them starts and opens stores several times. */
vi.setConfig({ testTimeout: 60_000 })

/** A copy of the filled store in a folder of its own; nobody has either of them open. */
async function copyInstallation(): Promise<Installation> {
  const folder = makeFolder()
  await cp(join(template.folder, 'data'), join(folder, 'data'), { recursive: true })
  return { folder, configFile: '', environment: { ...template.environment, RIALTO_DATA: join(folder, 'data') } }
}

/** Of a request that was running when the gateway was stopped. */
const claimed = { accountId: 'acc_1', route: 'chat', key: 'running', holdId: 'hold_1' }
const claim = {
  ...claimed,
  fingerprint: Buffer.alloc(32),
  requestId: 'req_1',
  processId: 'proc_1',
  nowMs: 0,
  keysMax: 1,
}

/** Nobody can have this account but who went on with the store after the interruption; and the request has ended. */
async function useStore(path: string): Promise<void> {
  const storage = await openSqlite(path)
  await storage.idempotency.free(claimed)
  await addCustomer(storage, { balanceNano: 3n * usd, account: { name: 'latecomer' } })
  await storage.close()
}

describePostgres('a move that is killed', () => {
  beforeAll(async () => {
    await mkdir(join(template.folder, 'data'), { recursive: true })
    const storage = await openSqlite(fileIn(template.folder))
    await fillStore(storage, { accounts: 3, records: 2_500 })
    await storage.idempotency.claim(claim)
    await storage.close()
  }, setUpMs)

  it.each([
    ['while it copies transfers', 'move.page:5'],
    ['while it copies records', 'move.page:8'],
    ['when everything is copied and verified, and not committed', 'move.before_commit'],
    ['before it marks the old store as left', 'move.after_commit'],
  ])('%s leaves the old store in use, and goes on when it is started again', async (_, failpoint) => {
    const installation = await copyInstallation()
    const path = fileIn(installation.folder)
    const { url } = await createDatabase()
    expect(await migrate(installation, { url, failpoint })).toMatchObject({ signal: 'SIGKILL', stdout: '' })
    await expect(openPostgres(url)).rejects.toThrow('the move is not complete')
    await useStore(path)
    expect(await move({ path, url })).toMatchObject({ accounts: 4, usageRecords: 2_500, idempotencyKeys: 0 })
    await expectMoved(path, url)
  })

  it('when the old store is left goes on when it is started again; until then neither is in use', async () => {
    const installation = await copyInstallation()
    const path = fileIn(installation.folder)
    const { url } = await createDatabase()
    const killed = await migrate(installation, { url, failpoint: 'move.source_left' })
    expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: '' })
    await expect(openPostgres(url)).rejects.toThrow('the move is not complete')
    await expect(openSqlite(path)).rejects.toThrow('was moved to PostgreSQL')
    expect(await move({ path, url })).toMatchObject({ accounts: 3, usageRecords: 2_500, idempotencyKeys: 1 })
    await expectMoved(path, url)
  })

  it('continues with what is there instead of copying it again', async () => {
    const installation = await copyInstallation()
    const { url } = await createDatabase()
    await migrate(installation, { url, failpoint: 'move.before_commit' })
    const copied = 'select max(xmin::text::bigint) as newest, count(*) as rows from transfers'
    const [first] = await query(url, copied)
    await move({ path: fileIn(installation.folder), url })
    expect(await query(url, copied)).toEqual([first])
    expect(first).toMatchObject({ rows: '2253' })
  })

  it('does not go on with a copy of the store that has another history since', async () => {
    const [first, second] = [await copyInstallation(), await copyInstallation()]
    const { url } = await createDatabase()
    await useStore(fileIn(first.folder))
    await migrate(first, { url, failpoint: 'move.before_commit' })
    await expect(move({ path: fileIn(second.folder), url })).rejects.toThrow('has another history since')
    await expect(openPostgres(url)).rejects.toThrow('the move is not complete')
  })
})

async function expectMoved(path: string, url: string): Promise<void> {
  const moved = await openPostgres(url, 'command')
  expect(await moved.ledger.verify()).toMatchObject({ ok: true, problems: [] })
  await moved.close()
  await expect(openSqlite(path)).rejects.toThrow('was moved to PostgreSQL')
  await expect(move({ path, url })).rejects.toThrow('there is nothing left to do')
}
