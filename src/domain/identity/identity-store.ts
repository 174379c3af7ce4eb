import type { AccountId, KeyId } from '../../core/ids.ts'
import type { AccountMode } from '../../core/principal.ts'
import type { Account, ApiKey, KeyChange, KeyQuota, KeySpending, KnownKey, UsedKey } from './types.ts'

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
  /** The same within the quota of the key's account, which holds however many gateways make keys at once. */
  createKeyWithin(key: ApiKey, hash: Buffer, quota: KeyQuota): Promise<'created' | 'too_many_active' | 'too_many_new'>
  listKeys(accountId: AccountId | null): Promise<readonly ApiKey[]>
  /** Keys of the account that count at `nowMs`, the newest first: all of them (at most 1,000), or the one that is named. */
  listUsedKeys(
    accountId: AccountId,
    options: { readonly keyId: KeyId | null; readonly nowMs: number },
  ): Promise<readonly UsedKey[]>
  /**
   * Changes what is named of a key that counts at `nowMs`; false when the account has no such key. A new period begins with
   * what the key was charged in it so far.
   */
  changeKey(
    id: KeyId,
    change: KeyChange,
    owner: { readonly accountId: AccountId; readonly nowMs: number },
  ): Promise<boolean>
  /** False when there is no such key, or it was revoked before. */
  revokeKey(id: KeyId, atMs: number): Promise<boolean>
  keySpending(id: KeyId, nowMs: number): Promise<KeySpending>
  /** A named value of the installation, such as the operator token's hash. */
  readSetting(name: string): Promise<string | null>
  writeSetting(name: string, value: string): Promise<void>
  /** Stores the value where there is none, and resolves with what stands there: the same for all who ask. */
  keepSetting(name: string, value: string): Promise<string>
}
