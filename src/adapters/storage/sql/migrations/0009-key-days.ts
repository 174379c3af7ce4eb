import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** How many requests of a day each key may make; null without a limit. Their count stands beside the key's buckets. */
export const keyDays: Migration = {
  number: 9,
  name: 'key-days',
  async up(db, { integer }) {
    await sql.raw(`alter table api_keys add column requests_per_day ${integer}`).execute(db)
  },
}
