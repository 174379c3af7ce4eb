import { dirname, join } from 'node:path'
import { openSqliteIndex } from '../adapters/search/index/sqlite/sqlite-index.ts'
import type { Config } from '../config/config.ts'
import type { SearchIndex } from '../domain/search/search-index.ts'

/** Beside the store's own file. */
const fileName = 'search-index.db'

/** The embedded index of an installation: beside a store in a file, or in the same database. */
export async function openIndex({ store }: Pick<Config, 'store'>): Promise<SearchIndex> {
  if (store.kind === 'sqlite')
    return openSqliteIndex(store.path === ':memory:' ? store.path : join(dirname(store.path), fileName))
  // Its driver is loaded by those who use it.
  const { openPostgresIndex } = await import('../adapters/search/index/postgres/postgres-index.ts')
  return openPostgresIndex(store.url)
}
