import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** How many requests of an account to a model were admitted on its last day with a daily limit. */
export const dailyRates: Migration = {
  number: 8,
  name: 'daily-rates',
  async up(db, { integer }) {
    for (const name of ['day', 'day_requests'])
      await sql.raw(`alter table rate_buckets add column ${name} ${integer}`).execute(db)
  },
}
