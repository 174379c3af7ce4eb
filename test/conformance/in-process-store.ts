import { performance } from 'node:perf_hooks'
import { onTestFinished } from 'vitest'
import type { GroupChannel } from '../../src/adapters/storage/groups/group-sender.ts'
import { createMoneyStore, type MoneyStore } from '../../src/adapters/storage/groups/money-store.ts'
import { createBooksProxy, createIdentityProxy } from '../../src/adapters/storage/groups/store-proxies.ts'
import { createWriterClient } from '../../src/adapters/storage/groups/writer-client.ts'
import { migrations } from '../../src/adapters/storage/sql/migrations/index.ts'
import type { LedgerBooks } from '../../src/adapters/storage/sql/stores/ledger-books.ts'
import { openWriter, type SqliteDatabase } from '../../src/adapters/storage/sqlite/connection.ts'
import { migrate } from '../../src/adapters/storage/sqlite/migrate.ts'
import type { DecideAdmission } from '../../src/adapters/storage/sqlite/writer/admit.ts'
import { createWriter } from '../../src/adapters/storage/sqlite/writer/create-writer.ts'
import { decideAdmission } from '../../src/domain/admission/decide-admission.ts'
import type { IdentityStore } from '../../src/domain/identity/identity-store.ts'
import { nowMs } from './builders.ts'

export interface InProcessStore {
  readonly identity: IdentityStore
  readonly ledger: MoneyStore & LedgerBooks
  readonly admission: MoneyStore
  /** The connection that writes, for tests that make it fail. */
  readonly database: SqliteDatabase
}

export interface InProcessOptions {
  readonly decide?: DecideAdmission
  /** Stands between client and writer. */
  readonly through?: (channel: GroupChannel) => GroupChannel
  readonly clock?: { monotonic(): number }
}

/** The same client and writer as in production, without the thread between them, so that a test can reach into both. */
export async function openInProcess(path: string, options: InProcessOptions = {}): Promise<InProcessStore> {
  const database = openWriter(path)
  await migrate(database, migrations, nowMs)
  const log = { look: () => undefined, hasRoom: () => true }
  const writer = createWriter({ database, decide: options.decide ?? decideAdmission, log })
  const direct: GroupChannel = { run: group => writer.run(group), close: async () => void database.close() }
  const client = createWriterClient({
    channel: options.through?.(direct) ?? direct,
    clock: options.clock ?? { monotonic: () => performance.now() },
    onError(error) {
      throw error
    },
  })
  onTestFinished(() => client.close())
  const clients = { writer: client, reader: client, reports: client }
  const money = createMoneyStore({ admissions: client, settlements: client })
  return {
    identity: createIdentityProxy(clients),
    ledger: { ...money, ...createBooksProxy(clients) },
    admission: money,
    database,
  }
}
