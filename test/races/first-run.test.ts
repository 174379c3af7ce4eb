import { expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { firstRun } from '../../src/pipeline/first-run.ts'
import { nowMs, random, usd } from '../conformance/builders.ts'
import { openPostgres, openSqlite } from '../conformance/open-test-storage.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'

const clock = { now: () => nowMs, monotonic: () => 0 }
const options = { startingCreditNano: 5n * usd, keyPrefix: 'vk-', secret: Buffer.alloc(32, 1) }

/** Several gateways that find the store empty, each by its own connections. */
async function startTogether(storages: readonly Storage[]): Promise<void> {
  const runs = await Promise.all(
    storages.map(({ identity, ledger }) => firstRun({ identity, ledger, clock, random }, options)),
  )
  const [first] = storages
  if (first === undefined) throw new Error('there is no store')
  const account = await first.identity.findAccount('default')
  if (account === null) throw new Error('there is no account')
  expect(runs.filter(run => run !== null)).toHaveLength(1)
  expect((await first.ledger.balance(account.id)).balanceNano).toBe(5n * usd)
  const keys = await first.identity.listKeys(account.id)
  expect(keys.filter(key => key.revokedAtMs === null)).toHaveLength(2)
  for (const { identity, ledger } of storages)
    expect(await firstRun({ identity, ledger, clock, random }, options)).toBeNull()
}

it('of gateways that start together on an empty file one shows keys', async () => {
  const storage = await openSqlite(':memory:')
  try {
    await startTogether([storage, storage, storage])
  } finally {
    await storage.close()
  }
})

describePostgres('PostgreSQL', () => {
  it('lets one of the gateways that start together on an empty database show keys', async () => {
    const { url } = await createDatabase()
    const storages = await Promise.all(Array.from({ length: 4 }, () => openPostgres(url, 'gateway')))
    try {
      await startTogether(storages)
    } finally {
      await Promise.all(storages.map(storage => storage.close()))
    }
  })
})
