import type { KeyId } from '../../../core/ids.ts'
import { StoreConflict } from '../../../core/store-error.ts'
import type { AccountChange, IdentityStore } from '../../../domain/identity/identity-store.ts'
import { fromDbAccount, fromDbKey, toDbAccount, toDbKey } from './account-mapping.ts'
import type { EngineTraits } from './engine-traits.ts'
import { readKeySpending } from './key-spending.ts'
import { fromDbNumber, toDbFlag } from './mapping.ts'
import type { Sql } from './tables.ts'

/** Lists are for people and have no pages: more than this is not shown. */
const rowsMax = 10_000

export function createIdentityStore(sql: Sql, traits: Pick<EngineTraits, 'isTaken'>): IdentityStore {
  const keys = () =>
    sql
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.no', 'api_keys.account_no')
      .selectAll('api_keys')
      .select('accounts.id as account_id')

  /** Runs an insert and says in the port's words that a unique value was taken. */
  async function unlessTaken(what: string, insert: () => Promise<unknown>): Promise<void> {
    try {
      await insert()
    } catch (error) {
      if (traits.isTaken(error)) throw new StoreConflict(`${what} is taken`, { cause: error })
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
    createAccount: account =>
      unlessTaken('the account name', () => sql.insertInto('accounts').values(toDbAccount(account)).execute()),
    async changeAccount(id, change) {
      const set = toDbChange(change)
      if (Object.keys(set).length === 0) return
      await sql.updateTable('accounts').set(set).where('id', '=', id).execute()
    },
    async findAccount(nameOrId) {
      const rows = await sql
        .selectFrom('accounts')
        .selectAll()
        .where(where => where.or([where('id', '=', nameOrId), where('name', '=', nameOrId)]))
        .execute()
      const row = rows.find(found => found.id === nameOrId) ?? rows[0]
      return row === undefined ? null : fromDbAccount(row)
    },
    async listAccounts() {
      const rows = await sql.selectFrom('accounts').selectAll().orderBy('no').limit(rowsMax).execute()
      return rows.map(fromDbAccount)
    },
    async createKey(key, hash) {
      const account = await sql.selectFrom('accounts').select('no').where('id', '=', key.accountId).executeTakeFirst()
      if (account === undefined) throw new RangeError('no such account')
      const row = toDbKey(key, fromDbNumber(account.no), hash)
      await unlessTaken('the key', () => sql.insertInto('api_keys').values(row).execute())
    },
    async listKeys(accountId) {
      const all = keys().orderBy('api_keys.no').limit(rowsMax)
      const rows = await (accountId === null ? all : all.where('accounts.id', '=', accountId)).execute()
      return rows.map(fromDbKey)
    },
    async revokeKey(id: KeyId, atMs) {
      const { numUpdatedRows } = await sql
        .updateTable('api_keys')
        .set({ revoked_at_ms: atMs })
        .where('id', '=', id)
        .where('revoked_at_ms', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    keySpending: (id, nowMs) => readKeySpending(sql, id, nowMs),
    async readSetting(name) {
      const row = await sql.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
      return row?.value ?? null
    },
    async writeSetting(name, value) {
      await sql
        .insertInto('settings')
        .values({ name, value })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
  }
}

function toDbChange(change: AccountChange): { mode?: string; pro?: number; diem_per_day_nano?: bigint } {
  return {
    ...(change.mode !== undefined && { mode: change.mode }),
    ...(change.pro !== undefined && { pro: toDbFlag(change.pro) }),
    ...(change.diemPerDayNano !== undefined && { diem_per_day_nano: change.diemPerDayNano }),
  }
}
