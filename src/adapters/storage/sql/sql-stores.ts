import type { IdempotencyStore } from '../../../domain/idempotency/idempotency-store.ts'
import type { IdentityStore } from '../../../domain/identity/identity-store.ts'
import type { FailureStore } from '../../../domain/limits/failure-store.ts'
import type { RefusalStore } from '../../../domain/limits/refusal-store.ts'
import type { SharedDocuments } from '../../../domain/replicas/shared-documents.ts'
import type { UsageStore } from '../../../domain/usage/usage-store.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Snapshot } from './snapshot.ts'
import { createFailureStore } from './stores/failure-store.ts'
import { createIdempotencyStore } from './stores/idempotency-store.ts'
import { createIdentityStore } from './stores/identity-store.ts'
import { createLedgerBooks, type LedgerBooks } from './stores/ledger-books.ts'
import { createRefusalStore } from './stores/refusal-store.ts'
import { createSharedDocumentStore } from './stores/shared-document-store.ts'
import { createUsageStore } from './stores/usage-store.ts'
import type { Sql } from './tables.ts'

/** The stores that are written in SQL that every engine speaks. */
export interface SqlStores {
  readonly identity: IdentityStore
  readonly usage: UsageStore
  readonly idempotency: IdempotencyStore
  readonly books: LedgerBooks
  readonly documents: SharedDocuments
  readonly refusals: RefusalStore
  readonly failures: FailureStore
}

/** A method of one of them, with its arguments, as it travels to where the connection is. */
export interface StoreCall {
  readonly store: keyof SqlStores
  readonly method: string
  readonly parameters: readonly unknown[]
}

export function createSqlStores(sql: Sql, snapshot: Snapshot, traits: EngineTraits): SqlStores {
  return {
    identity: createIdentityStore(sql, traits),
    usage: createUsageStore({ sql, ...traits }),
    idempotency: createIdempotencyStore({ sql, ...traits }),
    books: createLedgerBooks({ sql, ...traits }, snapshot),
    documents: createSharedDocumentStore(sql),
    refusals: createRefusalStore(sql),
    failures: createFailureStore(sql),
  }
}

/** Runs a call that came from the main thread, which only sends the names of methods that there are. */
export async function runStoreCall(stores: SqlStores, { store, method, parameters }: StoreCall): Promise<unknown> {
  const run: unknown = Reflect.get(stores[store], method)
  if (typeof run !== 'function') throw new TypeError('no such method of a store')
  return await run(...parameters)
}
