import { performance } from 'node:perf_hooks'
import { type OpenStorageOptions, openStorage, type StorageMode } from '../../src/adapters/storage/open-storage.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import type { Account, ApiKey } from '../../src/domain/identity/types.ts'
import { Secret } from '../../src/lib/secret.ts'
import { buildAccount, buildGrant, buildKey, hashOf, nowMs, random } from './builders.ts'

/*
 * Stores for the processes that tests start: nothing here needs a test to be running.
 */

const secret = Buffer.alloc(32, 7)

const silentLogger = { info: () => undefined, warn: () => undefined, error: () => undefined }

const testClock = { now: () => nowMs, monotonic: () => performance.now() }

export function openSqlite(path: string, mode: StorageMode = 'gateway'): Promise<Storage> {
  return openStore({ kind: 'sqlite', path }, { mode })
}

/** A file, or a database in which this process takes no lease and keeps no journal. */
export function openLocation(location: string, mode: StorageMode): Promise<Storage> {
  if (!location.startsWith('postgres:')) return openSqlite(location, mode)
  return openStore({ kind: 'postgres', url: new Secret(location) }, { mode })
}

export function openStore(
  store: OpenStorageOptions['store'],
  options: Pick<OpenStorageOptions, 'mode' | 'replica'>,
): Promise<Storage> {
  return openStorage({
    store,
    ...options,
    secret,
    clock: testClock,
    random,
    logger: silentLogger,
    onFatal(error) {
      throw error
    },
  })
}

/** An account with money and a key. */
export async function addCustomer(
  storage: Pick<Storage, 'identity' | 'ledger'>,
  setup: { readonly balanceNano?: bigint; readonly account?: Partial<Account>; readonly key?: Partial<ApiKey> } = {},
): Promise<{ readonly account: Account; readonly key: ApiKey }> {
  const account = buildAccount(setup.account)
  const key = buildKey(account.id, setup.key)
  await storage.identity.createAccount(account)
  await storage.identity.createKey(key, hashOf(key))
  const balanceNano = setup.balanceNano ?? 0n
  if (balanceNano > 0n) await storage.ledger.post(buildGrant(account.id, balanceNano))
  return { account, key }
}
