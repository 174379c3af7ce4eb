import { StoreConflict } from '../../../../core/store-error.ts'
import type { AccountChange, IdentityStore } from '../../../../domain/identity/identity-store.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { toDbFlag } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { fromDbAccount, toDbAccount } from './account-mapping.ts'

type AccountStore = Pick<IdentityStore, 'createAccount' | 'changeAccount' | 'findAccount' | 'listAccounts'>

/** Lists are for people and have no pages: more than this is not shown. */
const rowsMax = 10_000

export function createAccountStore(sql: Sql, traits: Pick<EngineTraits, 'isTaken'>): AccountStore {
  return {
    async createAccount(account) {
      try {
        await sql.insertInto('accounts').values(toDbAccount(account)).execute()
      } catch (error) {
        if (traits.isTaken(error)) throw new StoreConflict('the account name is taken', { cause: error })
        throw error
      }
    },
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
  }
}

function toDbChange(change: AccountChange): { mode?: string; pro?: number; diem_per_day_nano?: bigint } {
  return {
    ...(change.mode !== undefined && { mode: change.mode }),
    ...(change.pro !== undefined && { pro: toDbFlag(change.pro) }),
    ...(change.diemPerDayNano !== undefined && { diem_per_day_nano: change.diemPerDayNano }),
  }
}
