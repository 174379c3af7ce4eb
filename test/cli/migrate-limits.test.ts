import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type MoveTarget, openTarget } from '../../src/adapters/storage/move/open-target.ts'
import type { Sql } from '../../src/adapters/storage/sql/tables.ts'
import { Secret } from '../../src/lib/secret.ts'
import { atEnd } from '../support/at-end.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'

const limitMs = 100

describePostgres('a database whose server ends what takes long', () => {
  let target: MoveTarget

  beforeAll(async () => {
    const { url, name } = await createDatabase()
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await query(url, `alter database ${name} set ${limit} = ${limitMs}`)
    target = await openTarget(new Secret(url))
    atEnd(() => target.end())
  })

  const limitOf = (name: string) => async (db: Sql) =>
    (await sql<{ limit: string }>`select current_setting(${name}) as limit`.execute(db)).rows[0]?.limit

  async function takeLong(db: Sql): Promise<void> {
    await sql`select pg_sleep(${(2 * limitMs) / 1_000})`.execute(db)
    await sleep(2 * limitMs)
    await sql`select 1`.execute(db)
  }

  it('is filled, and read, for as long as that takes', async () => {
    await target.transaction(takeLong)
    await target.snapshot(takeLong)
  })

  it('has its limits again afterwards, for whoever gets the connection next', async () => {
    await target.transaction(takeLong)
    expect(await target.each(limitOf('statement_timeout'))).toBe(`${limitMs}ms`)
    expect(await target.each(limitOf('idle_in_transaction_session_timeout'))).toBe(`${limitMs}ms`)
  })
})
