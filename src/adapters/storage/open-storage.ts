import { openSqliteStorage, type SqliteStorageOptions } from './sqlite/open-sqlite.ts'
import type { Storage } from './storage.ts'

export type { Storage, StorageMode } from './storage.ts'

/** Where the store is (operator.md §3 `store`). The path `:memory:` is a store that is gone when it is closed. */
type StoreLocation = { readonly kind: 'sqlite'; readonly path: string } | { readonly kind: 'postgres' }

export interface OpenStorageOptions extends Omit<SqliteStorageOptions, 'path'> {
  readonly store: StoreLocation
}

/**
 * Opens the store and brings its schema up to date. `onFatal` is called when the store is lost for good while it is open:
 * the process must end then, because nothing that it was told by the store since may be believed.
 * @throws Error with a text for the operator when the store cannot be opened.
 */
export async function openStorage({ store, ...options }: OpenStorageOptions): Promise<Storage> {
  if (store.kind === 'postgres') throw new Error('PostgreSQL is not supported yet: use a store of the form sqlite:PATH')
  return openSqliteStorage({ ...options, path: store.path })
}
