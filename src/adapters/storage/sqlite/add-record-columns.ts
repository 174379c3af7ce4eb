import { type Kysely, sql } from 'kysely'

/** Where the text of a record has what a column repeats (see usage-details.ts). */
const places = {
  status: '$[5]',
  prompt_tokens: '$[7][0]',
  completion_tokens: '$[7][1]',
  cached_tokens: '$[7][2]',
  cache_write_tokens: '$[7][3]',
  reasoning_tokens: '$[7][4]',
}

/**
 * Columns that are computed when they are read, so that the writer's work for a record stays the same. Pages are read a
 * day at a time: a day of an account, or of all, lies in its indexes in the order of time.
 */
export async function addRecordColumns(db: Kysely<unknown>): Promise<void> {
  const derive = (name: string, from: string) =>
    sql.raw(`alter table usage_records add column ${name} integer generated always as (${from}) virtual`).execute(db)
  await derive('day', 'created_at_ms / 86400000')
  for (const [name, place] of Object.entries(places)) await derive(name, `json_extract(details, '${place}')`)
  await sql`drop index usage_records_account`.execute(db)
  await sql`create index usage_records_account on usage_records (account_no, day, created_at_ms)`.execute(db)
  await sql`create index usage_records_day on usage_records (day, created_at_ms)`.execute(db)
}
