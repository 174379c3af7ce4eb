import type { Logger } from '../../core/logger.ts'
import type { Secret } from '../../lib/secret.ts'
import type { PostgresStorageOptions } from './postgres/open-postgres.ts'
import { openSqliteStorage, type SqliteStorageOptions } from './sqlite/open-sqlite.ts'
import type { Storage } from './storage.ts'

export type { Storage, StorageMode } from './storage.ts'

/** Where the store is (operator.md §3 `store`). The path `:memory:` is a store that is gone when it is closed. */
type StoreLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: Secret }

export interface OpenStorageOptions extends Omit<SqliteStorageOptions, 'path' | 'logger'> {
  readonly store: StoreLocation
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** For a gateway; a store in a file has one gateway, whose lock says that it lives, and does without. */
  readonly replica?: PostgresStorageOptions['replica']
}

/**
 * Opens the store and brings its schema up to date. `onFatal` is called when the store is lost for good while it is open:
 * the process must end then, because nothing that it was told by the store since may be believed.
 * @throws Error with a text for the operator when the store cannot be opened.
 */
export async function openStorage({ store, ...options }: OpenStorageOptions): Promise<Storage> {
  if (store.kind === 'sqlite') return openSqliteStorage({ ...options, path: store.path })
  // Its driver is loaded by those who use it.
  const { openPostgresStorage } = await import('./postgres/open-postgres.ts')
  return openPostgresStorage({ ...options, url: store.url })
}
