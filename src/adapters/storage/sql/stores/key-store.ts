import { StoreConflict } from '../../../../core/store-error.ts'
import type { IdentityStore } from '../../../../domain/identity/identity-store.ts'
import type { ApiKey } from '../../../../domain/identity/types.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { fromDbAccount, fromDbKey, toDbKey } from './account-mapping.ts'
import { changeKey } from './change-key.ts'
import { findExcess } from './key-quota.ts'
import { readKeySpending } from './key-spending.ts'
import { readUsedKeys } from './used-keys.ts'

type KeyStore = Pick<
  IdentityStore,
  | 'findKeyByHash'
  | 'createKey'
  | 'createKeyWithin'
  | 'listKeys'
  | 'listUsedKeys'
  | 'changeKey'
  | 'revokeKey'
  | 'keySpending'
>

/** Lists are for people and have no pages: more than this is not shown. */
const rowsMax = 10_000

export function createKeyStore(sql: Sql, traits: Pick<EngineTraits, 'isTaken'>): KeyStore {
  const keys = () =>
    sql
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.no', 'api_keys.account_no')
      .selectAll('api_keys')
      .select('accounts.id as account_id')

  async function createKey(key: ApiKey, hash: Buffer): Promise<void> {
    const account = await sql.selectFrom('accounts').select('no').where('id', '=', key.accountId).executeTakeFirst()
    if (account === undefined) throw new RangeError('no such account')
    try {
      await sql
        .insertInto('api_keys')
        .values(toDbKey(key, fromDbNumber(account.no), hash))
        .execute()
    } catch (error) {
      if (traits.isTaken(error)) throw new StoreConflict('the key is taken', { cause: error })
      throw error
    }
  }

  return {
    async findKeyByHash(hash) {
      const row = await keys().where('api_keys.hash', '=', hash).executeTakeFirst()
      if (row === undefined) return null
      const account = await sql.selectFrom('accounts').selectAll().where('no', '=', row.account_no).executeTakeFirst()
      return account === undefined ? null : { key: fromDbKey(row), account: fromDbAccount(account) }
    },
    createKey,
    async createKeyWithin(key, hash, quota) {
      const excess = await findExcess(sql, key, quota)
      if (excess !== null) return excess
      await createKey(key, hash)
      return 'created'
    },
    async listKeys(accountId) {
      const all = keys().orderBy('api_keys.no').limit(rowsMax)
      const rows = await (accountId === null ? all : all.where('accounts.id', '=', accountId)).execute()
      return rows.map(fromDbKey)
    },
    listUsedKeys: (accountId, options) => readUsedKeys(sql, accountId, options),
    changeKey: (id, change, owner) => changeKey(sql, id, change, owner),
    async revokeKey(id, atMs) {
      const { numUpdatedRows } = await sql
        .updateTable('api_keys')
        .set({ revoked_at_ms: atMs })
        .where('id', '=', id)
        .where('revoked_at_ms', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    keySpending: (id, nowMs) => readKeySpending(sql, id, nowMs),
  }
}
