import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What is owed beside tokens as far as the answer of a hold has come, so that a crash books it as what it is. */
export const markFees: Migration = {
  number: 12,
  name: 'mark-fees',
  async up(db, { integer }) {
    await sql.raw(`alter table holds add column mark_searches ${integer}`).execute(db)
    await sql.raw(`alter table holds add column mark_pages ${integer}`).execute(db)
  },
}
