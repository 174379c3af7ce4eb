import type { Snapshot } from '../sql/snapshot.ts'
import { createIdempotencyStore } from '../sql/stores/idempotency-store.ts'
import { createIdentityStore } from '../sql/stores/identity-store.ts'
import { createLedgerBooks } from '../sql/stores/ledger-books.ts'
import { createUsageStore } from '../sql/stores/usage-store.ts'
import type { Sql } from '../sql/tables.ts'
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
