import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPostgresSql } from '../../src/adapters/storage/postgres/kysely-on-postgres.ts'
import { migrate as migratePostgres } from '../../src/adapters/storage/postgres/migrate.ts'
import { postgresMigrations } from '../../src/adapters/storage/postgres/migrations/index.ts'
import { createPostgresPool } from '../../src/adapters/storage/postgres/postgres-pool.ts'
import { migrations } from '../../src/adapters/storage/sql/migrations/index.ts'
import { encodeHoldFacts } from '../../src/adapters/storage/sql/texts/hold-facts.ts'
import { hashTransfer } from '../../src/adapters/storage/sql/texts/transfer-hash.ts'
import { openWriter } from '../../src/adapters/storage/sqlite/connection.ts'
import { migrate as migrateSqlite } from '../../src/adapters/storage/sqlite/migrate.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'
import { buildKey, buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { makeFolder } from './make-folder.ts'
import { openPostgres, openSqlite } from './open-test-storage.ts'

/*
 * A store of an older version with money in it, a rate that was used and a request that was running: after the upgrade all
 * of it counts, and the books agree. The rows are those that the first version wrote; later columns are the migrations'.
 */

const accountId = 'acc_old'
const key = buildKey(accountId, { id: 'key_old', requestsPerMinute: 5 })
/** What was admitted with a hold of a dollar before the upgrade. */
const running = buildRequest(key, { holdId: 'hold_old', modelRates: ratesOf(5) })

function ratesOf(requestsPerMinute: number) {
  return { requestsPerMinute, tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' } as const
}

const facts = encodeHoldFacts({
  ...running,
  overdraftNano: 0n,
  tokensTaken: 150,
  tokensPerMinute: 'unlimited',
  createdAtMs: nowMs,
  deadlineAtMs: running.deadlineMs,
})
const grant = {
  ...{ seq: 1, id: 'xfer_old', code: 'grant', debit: 'funding:manual', credit: `customer:${accountId}`, asset: 'usd' },
  ...{ amountNano: 10n * usd, holdSeq: null, line: null, note: '', idempotencyKey: 'old', createdAtMs: nowMs },
}

const accounts = `
  insert into accounts (id, name, mode, pro, diem_per_day_nano, balance_nano, held_nano, open_holds, credited_nano,
    debited_nano, free_failure_hour, free_failures, created_at_ms)
  values ('${accountId}', 'old', 'strict', 0, 0, ${10n * usd}, ${usd}, 1, ${10n * usd}, 0, 0, 0, ${nowMs});
  insert into transfers (seq, id, code, debit, credit, asset, amount_nano, customer_no, balance_after_nano, note,
    idempotency_key, created_at_ms, hash)
  values (1, 'xfer_old', 'grant', 'funding:manual', 'customer:${accountId}', 'usd', ${10n * usd}, 1, ${10n * usd}, '',
    'old', ${nowMs}, '${hashTransfer('', grant)}');
  update ledger_head set transfer_seq = 1, transfer_hash = '${hashTransfer('', grant)}';
  insert into rate_buckets (account_no, key_no, model, requests_level, requests_at_ms)
  values (1, 0, '${running.model}', 4, ${nowMs}), (0, 1, '', 4, ${nowMs});`
const keys = (hash: string) => `
  insert into api_keys (id, account_no, hash, label, type, last6, period, privacy, requests_per_minute, period_start_ms,
    spent_nano, held_nano, open_holds, created_at_ms)
  values ('${key.id}', 1, ${hash}, 'old', 'inference', 'abcdef', 'lifetime', 'all', 5, 0, 0, ${usd}, 1, ${nowMs});`

async function expectMoneyWorks(storage: Storage): Promise<void> {
  const { admission, ledger } = storage
  expect(await ledger.balance(accountId)).toMatchObject({ balanceNano: 10n * usd, heldNano: usd })
  const modelRates = ratesOf(5)
  const admitted = await admission.admit(buildRequest(key, { modelRates }))
  expect(admitted).toMatchObject({ admitted: true, rates: { limitRequests: 5, remainingRequests: 3 } })
  const poor = await admission.admit(buildRequest(key, { modelRates, fixedNano: 9n * usd }))
  expect(poor).toMatchObject({ reason: 'insufficient_balance', availableNano: 8n * usd })
  await ledger.settle(buildSettlement(running, usd / 2n))
  await ledger.settle(buildSettlement(running, usd / 2n))
  expect(await ledger.balance(accountId)).toMatchObject({ balanceNano: 9n * usd + usd / 2n, heldNano: usd })
  const mixed = buildRequest(key, { modelRates, model: 'other' })
  await admission.admit(mixed)
  expect(await ledger.settle(buildSettlement(mixed, usd))).toMatchObject({ chargedNano: usd })
  const { lines } = await ledger.statement(accountId, { fromMs: 0, toMs: nowMs * 2, limit: 10 })
  expect(lines.map(({ amountNano }) => amountNano)).toEqual([10n * usd, -usd / 2n, -usd])
  expect((await ledger.verify()).problems).toEqual([])
}

describe('a store on SQLite', () => {
  it.each(migrations.slice(0, -1).map(({ number, name }) => [number, name]))(
    'goes on with its money after an upgrade from schema %i (%s)',
    async number => {
      const path = join(makeFolder(), 'rialto.db')
      const database = openWriter(path)
      await migrateSqlite(database, migrations.slice(0, Number(number)), 0)
      database.exec(accounts + keys("x'0102'"))
      database.exec(`
        insert into holds (seq, id, account_no, key_no, amount_nano, facts)
        values (1, 'hold_old', 1, 1, ${usd}, '${facts}');
        update ledger_head set hold_seq = 1;`)
      database.close()
      // A command takes the holds of no dead gateway over, so that the running request settles by itself.
      const storage = await openSqlite(path, 'command')
      onTestFinished(() => storage.close())
      await expectMoneyWorks(storage)
    },
  )
})

/** Functions that an older version left: others than today's, some with other arguments, and one that must not be used any more. */
const olderFunctions = `
  create type rialto_left_over as (part bigint);
  create function rialto_left_over(left_over rialto_left_over) returns bigint language sql as 'select 1::bigint';
  create or replace function rialto_admit(asked json) returns json language plpgsql as
    $$ begin raise exception 'an older version'; end $$;
  create or replace function rialto_probe(more text) returns text language sql as 'select more';`

describePostgres('a store on PostgreSQL', () => {
  /** Before the functions of money, with the first of them, and with those from before the last change. */
  it.each([
    ['find-records', ''],
    ['money-functions', olderFunctions],
    ['error-budgets', olderFunctions],
    ['daily-functions', olderFunctions],
    ['count-lines', olderFunctions],
  ])('goes on with its money after an upgrade from before what follows %s', async (name, functions) => {
    const { url } = await createDatabase()
    const pool = createPostgresPool({ url: new Secret(url), connections: 1, statementMs: 60_000 })
    const last = postgresMigrations.findIndex(migration => migration.name === name)
    await migratePostgres(createPostgresSql(pool), postgresMigrations.slice(0, last + 1), 0)
    await pool.end()
    for (const text of [accounts, keys(String.raw`'\x0102'`), functions]) await query(url, text)
    await query(
      url,
      `insert into holds (seq, id, account_no, key_no, amount_nano, facts, process_id, deadline_at_ms, day)
       values (nextval('hold_numbers'), 'hold_old', 1, 1, ${usd}, '${facts}', 'proc_old', ${running.deadlineMs},
         ${Math.floor(nowMs / 86_400_000)})`,
    )
    const storage = await openPostgres(url, 'command')
    onTestFinished(() => storage.close())
    await expectMoneyWorks(storage)
    expect(await query(url, "select proname from pg_proc where proname = 'rialto_left_over'")).toEqual([])
  })
})
