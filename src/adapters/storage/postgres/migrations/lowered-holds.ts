import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'
import { lower } from '../money/functions/lower.ts'

/** A hold can be lowered once it is known that less can be charged. */
export const loweredHolds: Pick<Migration, 'name' | 'up'> = {
  name: 'lowered-holds',
  async up(db) {
    await sql.raw('drop function if exists rialto_lower').execute(db)
    await sql.raw(lower).execute(db)
  },
}
