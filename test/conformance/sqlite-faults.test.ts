import { spawn } from 'node:child_process'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '../../src/adapters/storage/open-storage.ts'
import { migrations } from '../../src/adapters/storage/sql/migrations/index.ts'
import { StoreUnavailable } from '../../src/core/store-error.ts'
import { decideAdmission } from '../../src/domain/admission/decide-admission.ts'
import { quickestMs } from '../support/lapse.ts'
import { admitMany, countAdmitted } from './admission-suite.ts'
import { buildGrant, buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { openInProcess } from './in-process-store.ts'
import { makeFolder } from './make-folder.ts'
import { addCustomer, openSqlite } from './open-test-storage.ts'

/** Another connection to the same file, as another process has it. */
function connect(path: string): Database.Database {
  const database = new Database(path, { timeout: 5_000 })
  database.defaultSafeIntegers(true)
  onTestFinished(() => void database.close())
  return database
}

async function openClosed(path: string, mode?: 'gateway' | 'command') {
  const storage = await openSqlite(path, mode)
  onTestFinished(() => storage.close())
  return storage
}

describe('a locked database', () => {
  it('refuses admissions after at most three seconds, changes nothing, and works again when the lock is gone', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const storage = await openClosed(path)
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
    const other = connect(path)
    other.exec('begin immediate')
    const startedMs = performance.now()
    const refused = await Promise.allSettled([1, 2, 3].map(() => storage.admission.admit(buildRequest(key))))
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    for (const result of refused)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
    await expect(storage.health()).rejects.toThrow(StoreUnavailable)
    expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 10n * usd, heldNano: 0n })
    other.exec('rollback')
    await storage.health()
    expect(await storage.admission.admit(buildRequest(key))).toMatchObject({ admitted: true })
    expect((await storage.ledger.balance(account.id)).heldNano).toBe(usd)
  })

  it('keeps settlements until they are durable, and admits nothing meanwhile', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const storage = await openClosed(path)
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
    const requests = Array.from({ length: 5 }, () => buildRequest(key))
    await Promise.all(requests.map(request => storage.admission.admit(request)))
    const other = connect(path)
    other.exec('begin immediate')
    const settled = Promise.all(requests.map(request => storage.ledger.settle(buildSettlement(request, usd))))
    await expect(storage.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    const refusedMs = await quickestMs(() =>
      expect(storage.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable),
    )
    expect(refusedMs).toBeLessThan(100)
    expect((await storage.ledger.balance(account.id)).heldNano).toBe(5n * usd)
    other.exec('rollback')
    expect((await settled).map(({ effect }) => effect)).toEqual(requests.map(() => 'settled'))
    expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 5n * usd, heldNano: 0n })
    expect(await storage.admission.admit(buildRequest(key))).toMatchObject({ admitted: true })
  })
})

describe('a full disk', () => {
  it('stops admitting, keeps what has to be settled, and goes on by itself when there is room', async () => {
    const store = await openInProcess(join(makeFolder(), 'rialto.db'))
    const { account, key } = await addCustomer(store, { balanceNano: 1_000n * usd })
    const requests = Array.from({ length: 300 }, () => buildRequest(key))
    await Promise.all(requests.map(request => store.admission.admit(request)))
    const [pages] = store.database.prepare('pragma page_count').raw().get() as [bigint]
    store.database.exec(`pragma max_page_count = ${pages + 2n}`)
    const settled = Promise.all(requests.map(request => store.ledger.settle(buildSettlement(request, usd))))
    await expect(store.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    await expect(store.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    const report = store.ledger.verify()
    store.database.exec('pragma max_page_count = 1000000')
    expect((await settled).every(({ effect }) => effect === 'settled')).toBe(true)
    expect(await store.ledger.balance(account.id)).toMatchObject({ balanceNano: 700n * usd, heldNano: 0n })
    expect(await store.admission.admit(buildRequest(key))).toMatchObject({ admitted: true })
    expect((await report).problems).toEqual([])
    expect((await store.ledger.verify()).problems).toEqual([])
  })
})

describe('a store that answers too late', () => {
  it('refuses the caller in time and lets the hold go that came through afterwards', async () => {
    const time = { now: 0 }
    const held: (() => void)[] = []
    const storage = await openInProcess(join(makeFolder(), 'rialto.db'), {
      clock: { monotonic: () => time.now },
      through: channel => ({
        ...channel,
        async run(group) {
          const results = await channel.run(group)
          if (group.some(({ kind }) => kind === 'admit')) await new Promise<void>(resolve => held.push(resolve))
          return results
        },
      }),
    })
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
    const refused = expect(storage.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    await expect.poll(() => held.length).toBe(1)
    time.now = 5_000
    await refused
    await expect(storage.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    held.shift()?.()
    await expect.poll(async () => (await storage.ledger.balance(account.id)).heldNano).toBe(0n)
    const { problems, usageRecords } = await storage.ledger.verify()
    expect({ problems, usageRecords }).toEqual({ problems: [], usageRecords: 1 })
  })
})

describe('without its guard', () => {
  it('an admission overdraws the account: the race test sees the difference', async () => {
    const store = await openInProcess(join(makeFolder(), 'rialto.db'), {
      decide: (state, request) => decideAdmission({ ...state, heldNano: 0n }, request),
    })
    const { account, key } = await addCustomer(store, { balanceNano: 7n * usd })
    const decisions = await admitMany(store.admission.admit, 1_000, () => buildRequest(key))
    expect(countAdmitted(decisions)).toBeGreaterThan(7)
    expect((await store.ledger.balance(account.id)).heldNano).toBeGreaterThan(7n * usd)
  })
})

describe('two processes on one file', () => {
  it('a command credits, creates and revokes while the gateway runs, and the gateway sees it', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const gateway = await openClosed(path)
    const { account, key } = await addCustomer(gateway, { balanceNano: usd })
    const running = buildRequest(key)
    expect((await gateway.admission.admit(running)).admitted).toBe(true)
    expect((await gateway.admission.admit(buildRequest(key))).admitted).toBe(false)
    const command = await openClosed(path, 'command')
    await command.ledger.post(buildGrant(account.id, 5n * usd))
    expect((await gateway.admission.admit(buildRequest(key))).admitted).toBe(true)
    await gateway.ledger.settle(buildSettlement(running, usd))
    expect(await command.ledger.balance(account.id)).toMatchObject({ balanceNano: 5n * usd, heldNano: usd })
    const script = fileURLToPath(new URL('./command-child.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', script, path, account.id, '60'], { stdio: 'inherit' })
    const ended = new Promise(resolve => child.on('exit', resolve))
    let booked = 0
    while (child.exitCode === null) {
      const request = buildRequest(key, { fixedNano: 1n })
      expect((await gateway.admission.admit(request)).admitted).toBe(true)
      await gateway.ledger.settle(buildSettlement(request, 1n))
      booked += 1
    }
    expect(await ended).toBe(0)
    expect(booked).toBeGreaterThan(10)
    await command.identity.revokeKey(key.id, nowMs)
    expect(await gateway.admission.admit(buildRequest(key))).toMatchObject({ reason: 'invalid_api_key' })
    expect((await command.ledger.verify()).problems).toEqual([])
    expect((await gateway.ledger.balance(account.id)).balanceNano).toBe(5n * usd + 60n - BigInt(booked))
  })

  it('a second gateway is refused, and may start when the first is gone', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const first = await openSqlite(path)
    await expect(openSqlite(path)).rejects.toThrow('another gateway runs on this store')
    await first.close()
    const second = await openSqlite(path)
    await second.close()
  })
})

describe('the file', () => {
  it('is readable by its owner only, and keeps what was written when it is opened again', async () => {
    const path = join(makeFolder(), 'deep', 'rialto.db')
    const first = await openSqlite(path)
    const { account } = await addCustomer(first, { balanceNano: usd })
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    await first.close()
    const second = await openClosed(path)
    expect((await second.ledger.balance(account.id)).balanceNano).toBe(usd)
    expect((await second.ledger.verify()).ok).toBe(true)
  })

  it('of a newer version is not touched', async () => {
    const path = join(makeFolder(), 'rialto.db')
    await (await openSqlite(path)).close()
    const database = connect(path)
    const next = migrations.length + 1
    database.exec(`insert into schema_migrations values (${next}, 'from the future', 0)`)
    await expect(openSqlite(path)).rejects.toThrow('use a newer version')
  })

  it('that is no database is refused', async () => {
    const path = join(makeFolder(), 'rialto.db')
    writeFileSync(path, 'this is a text, and a long one, but it is not a database at all'.repeat(100))
    await expect(openSqlite(path)).rejects.toThrow()
  })

  it('holds no answer that can be read, and gives none out under another secret', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const storage = await openSqlite(path)
    const key = { accountId: 'acc_a', route: '/r', key: 'k', holdId: 'hold_a' }
    const start = {
      ...key,
      fingerprint: Buffer.alloc(32),
      requestId: 'req_a',
      processId: 'p',
      nowMs,
      keysMax: 9,
    }
    await storage.idempotency.claim(start)
    const body = Buffer.from('the canary sings in the answer')
    await storage.idempotency.complete(key, { status: 200, contentType: 'text/plain', body }, nowMs + 1_000)
    await storage.close()
    expect(readFileSync(path).includes('canary')).toBe(false)
    const stranger = await openStorage({
      store: { kind: 'sqlite', path },
      secret: Buffer.alloc(32, 8),
      clock: { now: () => nowMs, monotonic: () => 0 },
      random: { bytes: count => Buffer.alloc(count), hex: count => '00'.repeat(count) },
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      mode: 'gateway',
      onFatal: () => undefined,
    })
    onTestFinished(() => stranger.close())
    await expect(stranger.idempotency.claim(start)).rejects.toThrow()
  })
})

describe('a gateway', () => {
  it.each([
    ['were cut off', 'delete from transfers where seq > 4', 'newest transfers are missing'],
    ['were changed', 'update transfers set amount_nano = 1 where seq = 3', 'transfer 3 was changed'],
    ['were replaced', "update transfers set hash = 'x' where seq = 5", 'newest transfer was replaced'],
  ])('does not book on top of transfers that %s; commands may still look', async (_, damage, reason) => {
    const path = join(makeFolder(), 'rialto.db')
    const first = await openSqlite(path)
    const { account } = await addCustomer(first)
    for (let count = 0; count < 5; count++) await first.ledger.post(buildGrant(account.id, usd))
    await first.close()
    connect(path).exec(damage)
    await expect(openSqlite(path)).rejects.toThrow(reason)
    const command = await openClosed(path, 'command')
    expect((await command.ledger.verify()).ok).toBe(false)
  })
})

describe('verification', () => {
  async function bookedStore() {
    const store = await openInProcess(join(makeFolder(), 'rialto.db'))
    const { key } = await addCustomer(store, { balanceNano: 10n * usd })
    const requests = Array.from({ length: 6 }, () => buildRequest(key))
    for (const request of requests) await store.admission.admit(request)
    for (const request of requests.slice(0, 5)) await store.ledger.settle(buildSettlement(request, 100n))
    expect(await store.ledger.verify()).toMatchObject({ ok: true, transfers: 6, holdsOpen: 1, usageRecords: 5 })
    return { ...store, requests }
  }

  it.each([
    ['a changed amount', 'update transfers set amount_nano = 99 where seq = 3', 'was changed'],
    ['a changed note', "update transfers set note = 'x' where seq = 1", 'was changed'],
    ['a changed side', "update transfers set credit = 'promo' where seq = 4", 'was changed'],
    ['a missing transfer', 'delete from transfers where seq = 3', 'transfers 3 to 3 are missing'],
    ['a missing last transfer', 'delete from transfers where seq = 6', 'transfers 6 to 6 are missing at the end'],
    ['a replaced hash', "update transfers set hash = 'x' where seq = 6", 'was changed'],
    ['a changed running balance', 'update transfers set balance_after_nano = 1 where seq = 2', 'shows a balance'],
    ['a changed balance', 'update accounts set balance_nano = 1, credited_nano = 501', 'balance is'],
    ['a changed cost', 'update usage_records set cost_nano = 50 where hold_seq = 2', 'its debits say 0.0000001 USD'],
    ['a missing record', 'delete from usage_records where hold_seq = 2', 'usage is 0.0000005 USD'],
    [
      'changed charge lines',
      `update usage_records set lines = '[["output",1,"99"]]' where hold_seq = 2`,
      'lines add up',
    ],
    ['a missing hold', 'delete from holds', 'held is 1 USD'],
    ['a hold that is counted once too often', 'update accounts set open_holds = 2', 'counts 2 open holds'],
    ['a key that holds another amount', 'update api_keys set held_nano = 5', 'it says 0.000000005 USD'],
  ])('finds %s', async (_, damage, finding) => {
    const { ledger, database } = await bookedStore()
    database.exec(damage)
    const report = await ledger.verify()
    expect(report.ok).toBe(false)
    expect(report.problems.join('\n')).toContain(finding)
  })

  it('names the request that does not agree', async () => {
    const { ledger, database, requests } = await bookedStore()
    database.exec('update usage_records set cost_nano = 50 where hold_seq = 2')
    expect((await ledger.verify()).problems.join('\n')).toContain(requests[1]?.requestId)
  })

  it('recomputes every charge from the prices of its time', async () => {
    const storage = await openInProcess(join(makeFolder(), 'rialto.db'))
    const { key } = await addCustomer(storage, { balanceNano: 10n * usd })
    const none = {
      cacheReadNanoPerMillion: 0n,
      cacheWriteNanoPerMillion: 0n,
      searchNano: 0n,
      pageNano: 0n,
      inputNanoPerMillion: 0n,
    }
    await storage.ledger.rememberPrices([{ version: 'price_test', outputNanoPerMillion: 333_333n, ...none }])
    const settle = async (nano: bigint) => {
      const request = buildRequest(key)
      await storage.admission.admit(request)
      await storage.ledger.settle(buildSettlement(request, nano))
    }
    await settle(4n)
    expect((await storage.ledger.verify()).ok).toBe(true)
    await settle(5n)
    expect((await storage.ledger.verify()).problems).toEqual([
      expect.stringContaining('its price says 0.000000004 USD'),
    ])
  })

  it('finds the books in order while they are written, swept and corrected', async () => {
    const storage = await openClosed(join(makeFolder(), 'rialto.db'))
    const { account, key } = await addCustomer(storage, { balanceNano: 100_000n * usd })
    let booking = true
    const book = async () => {
      while (booking) {
        const request = buildRequest(key, { deadlineMs: nowMs - 1, fixedNano: usd / 100n })
        await storage.admission.admit(request)
        if (Math.random() < 0.2) await storage.ledger.sweep(nowMs, 0)
        await storage.ledger.settle(buildSettlement(request, 7n))
        await storage.ledger.post(buildGrant(account.id, 1n))
      }
    }
    const lanes = Promise.all(Array.from({ length: 40 }, book))
    const reports = []
    for (let count = 0; count < 12; count++) reports.push(await storage.ledger.verify())
    booking = false
    await lanes
    expect(reports.flatMap(({ problems }) => problems)).toEqual([])
    expect(reports.at(-1)?.usageRecords).toBeGreaterThan(reports[0]?.usageRecords ?? 0)
    expect((await storage.ledger.verify()).ok).toBe(true)
  })

  it('refuses to speak of a file that lost its end', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const first = await openSqlite(path)
    const { key } = await addCustomer(first, { balanceNano: 900n * usd })
    const requests = Array.from({ length: 500 }, () => buildRequest(key))
    await Promise.all(requests.map(request => first.admission.admit(request)))
    await Promise.all(requests.map(request => first.ledger.settle(buildSettlement(request, 1n))))
    await first.close()
    truncateSync(path, 4_096 * 20)
    const failed = await openSqlite(path).then(
      async storage => {
        onTestFinished(() => storage.close())
        return (await storage.ledger.verify().catch(() => ({ ok: false }))).ok
      },
      () => false,
    )
    expect(failed).toBe(false)
  })
})
