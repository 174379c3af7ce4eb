import { type Kysely, sql } from 'kysely'

/** Where the text of a record has what a column repeats (see usage-details.ts). */
const places = {
  status: '{5}',
  prompt_tokens: '{7,0}',
  completion_tokens: '{7,1}',
  cached_tokens: '{7,2}',
  cache_write_tokens: '{7,3}',
  reasoning_tokens: '{7,4}',
}

/** Columns that the settlement writes beside the text: reading them out of it takes longer than storing the record. */
export async function addRecordColumns(db: Kysely<unknown>): Promise<void> {
  for (const [name, place] of Object.entries(places)) {
    await sql.raw(`alter table usage_records add column ${name} bigint`).execute(db)
    await sql.raw(`update usage_records set ${name} = (details::json #>> '${place}')::bigint`).execute(db)
    await sql.raw(`alter table usage_records alter column ${name} set not null`).execute(db)
  }
  await indexRecords(db)
}

/**
 * Pages are read a day at a time, and so from one partition, in which an index needs no day. What each index is for and what
 * it costs is measured in docs/usage-queries.md. Requests that went wrong are few: their index is as good as free.
 */
async function indexRecords(db: Kysely<unknown>): Promise<void> {
  await sql`drop index usage_records_account`.execute(db)
  const create = (name: string, columns: string) =>
    sql.raw(`create index usage_records_${name} on usage_records (${columns})`).execute(db)
  await create('time', 'created_at_ms')
  await create('account', 'account_no, created_at_ms')
  await create('key', 'key_no, created_at_ms')
  await create('model', 'model, created_at_ms')
  await sql`
    create index usage_records_unusual on usage_records (outcome, created_at_ms)
    where outcome <> 'done' or status <> 200`.execute(db)
}
