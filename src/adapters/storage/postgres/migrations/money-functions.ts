import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'
import { moneyFunctions } from '../money/functions/index.ts'

/** The functions that decide about money where it is stored; see money/functions. */
export const installMoneyFunctions: Pick<Migration, 'name' | 'up'> = {
  name: 'money-functions',
  async up(db) {
    for (const text of moneyFunctions) await sql.raw(text).execute(db)
  },
}
