import type { IdentityStore } from '../../../../domain/identity/identity-store.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Sql } from '../tables.ts'
import { createAccountStore } from './account-store.ts'
import { createKeyStore } from './key-store.ts'

export function createIdentityStore(sql: Sql, traits: Pick<EngineTraits, 'isTaken'>): IdentityStore {
  return {
    ...createAccountStore(sql, traits),
    ...createKeyStore(sql, traits),
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
    async keepSetting(name, value) {
      const insert = sql.insertInto('settings').values({ name, value })
      await insert.onConflict(conflict => conflict.column('name').doNothing()).execute()
      const found = sql.selectFrom('settings').select('value').where('name', '=', name)
      return (await found.executeTakeFirstOrThrow()).value
    },
  }
}
