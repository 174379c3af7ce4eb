import type { AccountId, KeyId } from '../../core/ids.ts'
import type { AccountMode } from '../../core/principal.ts'
import type { Account, ApiKey, KeySpending, KnownKey } from './types.ts'

export interface AccountChange {
  readonly mode?: AccountMode
  readonly pro?: boolean
  readonly diemPerDayNano?: bigint
}

/** Port: accounts, keys and the operator token. Every method is one atomic step; hashes are 32 bytes. */
export interface IdentityStore {
  findKeyByHash(hash: Buffer): Promise<KnownKey | null>
  /** @throws StoreConflict when the name is taken. */
  createAccount(account: Account): Promise<void>
  changeAccount(id: AccountId, change: AccountChange): Promise<void>
  findAccount(nameOrId: string): Promise<Account | null>
  listAccounts(): Promise<readonly Account[]>
  createKey(key: ApiKey, hash: Buffer): Promise<void>
  listKeys(accountId: AccountId | null): Promise<readonly ApiKey[]>
  /** False when there is no such key, or it was revoked before. */
  revokeKey(id: KeyId, atMs: number): Promise<boolean>
  keySpending(id: KeyId, nowMs: number): Promise<KeySpending>
  /** A named value of the installation, such as the operator token's hash. */
  readSetting(name: string): Promise<string | null>
  writeSetting(name: string, value: string): Promise<void>
}
