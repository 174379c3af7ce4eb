import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { compareHistory, compareState } from '../../src/adapters/storage/move/compare-books.ts'
import { openSource } from '../../src/adapters/storage/move/open-source.ts'
import { openTarget } from '../../src/adapters/storage/move/open-target.ts'
import { listColumns, listTables } from '../../src/adapters/storage/move/source-tables.ts'
import type { Sql } from '../../src/adapters/storage/sql/tables.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { noFees } from '../../src/core/price.ts'
import { Secret } from '../../src/lib/secret.ts'
import { buildGrant, buildRequest, buildSettlement, nowMs, usd } from '../conformance/builders.ts'
import { makeFolder } from '../conformance/make-folder.ts'
import { addCustomer, openPostgres, openSqlite } from '../conformance/open-test-storage.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'
import { move } from './move/move-in-process.ts'
import { expectSameRows } from './move/stored-content.ts'

const beginning = { transferSeq: 0, recordSeq: 0 }
const everything = { transferSeq: Number.MAX_SAFE_INTEGER, recordSeq: Number.MAX_SAFE_INTEGER }

/** An account that has and spent every currency, with a hold of all of them that is still open. */
async function fill(storage: Storage) {
  const { account, key } = await addCustomer(storage, {
    balanceNano: 5n * usd,
    account: { diemPerDayNano: 3n * usd },
    key: { limitNano: 100n * usd, limitDiemNano: 50n * usd },
  })
  for (const currency of ['earned', 'bundled'] as const)
    await storage.ledger.post(buildGrant(account.id, 2n * usd, { currency }))
  await storage.ledger.rememberPrices([
    {
      version: 'price_of_nothing',
      inputNanoPerMillion: 1n,
      outputNanoPerMillion: 2n,
      cacheReadNanoPerMillion: 3n,
      cacheWriteNanoPerMillion: 4n,
      searchNano: 5n,
      pageNano: 6n,
    },
  ])
  const admit = async (fixedNano: bigint, spendsAllCurrencies = true) => {
    const request = buildRequest(key, { fixedNano, spendsAllCurrencies })
    expect(await storage.admission.admit(request)).toMatchObject({ admitted: true })
    return request
  }
  await storage.ledger.settle(buildSettlement(await admit(5n * usd), 5n * usd - 7n))
  await storage.ledger.settle(buildSettlement(await admit(3n * usd), usd + 11n))
  await storage.ledger.settle(buildSettlement(await admit(usd, false), 13n))
  const open = await admit(2n * usd)
  await storage.ledger.mark({
    holdId: open.holdId,
    chargeNano: 9n,
    promptTokens: 1,
    completionTokens: 1,
    fees: noFees,
    atMs: nowMs,
  })
  return account
}

/** Amounts, what they are amounts of, and what a key may spend: in each of them one wrong value is a loss for somebody. */
const isMoney = (column: string) => /_nano$|^asset$|^parts$/.test(column)

/** Kept for what is asked of the sums alone, and judged by `ledger verify` with the records that they are the sums of. */
const ofVerify = new Set(['usage_days_unusual', 'pruned_usage', 'key_days'])

/** Sides of one equation, which PostgreSQL itself refuses to let apart. */
const checks: Readonly<Record<string, string>> = { accounts: 'balance_is_entries' }

function damaged(column: string) {
  // Of lines of one charge the names must stay apart.
  if (column === 'asset') return sql`asset || ' of another'`
  return column === 'parts' ? sql.lit(null) : sql`coalesce(${sql.ref(column)}, 0) + 1`
}

describePostgres('an account with dollars, earned and bundled credit and an allowance', () => {
  it('arrives whole, with what it spent and holds of each, and every amount that did not would be found', async () => {
    const path = join(makeFolder(), 'rialto.db')
    const { url } = await createDatabase()
    const storage = await openSqlite(path)
    const account = await fill(storage)
    const before = await storage.ledger.balance(account.id)
    expect(before.funds).toMatchObject({ diemSpentNano: 3n * usd })
    expect([before.heldNano > 0n, before.balanceNano < 5n * usd]).toEqual([true, true])
    await storage.close()
    await move({ path, url })
    await expectSameRows(path, url, ['accounts', 'api_keys', 'transfers', 'holds', 'usage_records', 'usage_days'])
    await expectEveryDamageFound(path, url)

    const moved = await openPostgres(url)
    expect(await moved.ledger.balance(account.id)).toEqual(before)
    await moved.ledger.recover('proc_new', nowMs)
    expect(await moved.ledger.verify()).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
    await moved.close()
  })
})

async function expectEveryDamageFound(path: string, url: string): Promise<void> {
  const source = await openSource(path)
  const target = await openTarget(new Secret(url))
  const tables = listTables(source.database)
  const find = async (filled: Sql) => [
    ...(await compareHistory({ source: source.sql, target: filled }, beginning, everything)),
    ...(await compareState({ source: source.sql, target: filled }, tables)),
  ]
  try {
    expect(await target.snapshot(find)).toEqual([])
    const unseen: string[] = []
    for (const table of tables.filter(name => !ofVerify.has(name)))
      for (const column of listColumns(source.database, table).filter(isMoney)) {
        const takenBack = new Error('the damage is taken back')
        const damage = target.transaction(async filled => {
          const check = checks[table]
          if (check !== undefined)
            await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(check)}`.execute(filled)
          const { numAffectedRows } = await sql`
            update ${sql.table(table)} set ${sql.ref(column)} = ${damaged(column)}`.execute(filled)
          expect(numAffectedRows, `there is a row of ${table}`).toBeGreaterThan(0n)
          if ((await find(filled)).length === 0) unseen.push(`${table}.${column}`)
          throw takenBack
        })
        await expect(damage).rejects.toBe(takenBack)
      }
    expect(unseen).toEqual([])
  } finally {
    source.close()
    await target.end()
  }
}
