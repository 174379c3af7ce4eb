import { createIdempotencyStore } from '../sql/idempotency-store.ts'
import { createIdentityStore } from '../sql/identity-store.ts'
import { createLedgerBooks } from '../sql/ledger-books.ts'
import type { Snapshot } from '../sql/snapshot.ts'
import type { Sql } from '../sql/tables.ts'
import { createUsageStore } from '../sql/usage-store.ts'
import type { SqlStores, StoreCall } from './protocol.ts'
import { sqliteTraits } from './sqlite-traits.ts'

export function createSqlStores(sql: Sql, snapshot: Snapshot): SqlStores {
  return {
    identity: createIdentityStore(sql, sqliteTraits),
    usage: createUsageStore(sql),
    idempotency: createIdempotencyStore(sql),
    books: createLedgerBooks(sql, snapshot),
  }
}

/** Runs a call that came from the main thread, which only sends the names of methods that there are. */
export async function runStoreCall(stores: SqlStores, { store, method, parameters }: StoreCall): Promise<unknown> {
  const run: unknown = Reflect.get(stores[store], method)
  if (typeof run !== 'function') throw new TypeError('no such method of a store')
  return await run(...parameters)
}
