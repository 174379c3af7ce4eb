import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'
import { admitWithinBudgets } from '../money/functions/admit-within-budgets.ts'
import { compareBytes } from './compare-bytes.ts'

/** Failures that are counted for all gateways bound what admission lets pass. */
export const errorBudgets: Pick<Migration, 'name' | 'up'> = {
  name: 'error-budgets',
  async up(db, traits) {
    await compareBytes.up(db, traits)
    await sql.raw(admitWithinBudgets).execute(db)
  },
}
