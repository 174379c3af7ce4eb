import { performance } from 'node:perf_hooks'
import { openStorage, type StorageMode } from '../../src/adapters/storage/open-storage.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import type { Account, ApiKey } from '../../src/domain/identity/types.ts'
import { buildAccount, buildGrant, buildKey, hashOf, nowMs, random } from './builders.ts'

/** Opens a store for one test; the suites in this folder hold for whatever it is made of. */
export type OpenStorage = () => Promise<Storage>

const secret = Buffer.alloc(32, 7)

const silentLogger = { info: () => undefined, error: () => undefined }

const testClock = { now: () => nowMs, monotonic: () => performance.now() }

export function openSqlite(path: string, mode: StorageMode = 'gateway'): Promise<Storage> {
  return openStorage({
    store: { kind: 'sqlite', path },
    secret,
    clock: testClock,
    random,
    logger: silentLogger,
    mode,
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
