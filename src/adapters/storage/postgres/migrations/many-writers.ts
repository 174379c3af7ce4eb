import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

type Schema = Kysely<unknown>

/**
 * What changes where many processes write. Holds take their numbers from a sequence, so that admissions of different
 * accounts never wait for each other. Usage records lie in a partition per UTC day of their admission, so that retention
 * drops a table instead of deleting rows.
 */
export const manyWriters: Pick<Migration, 'name' | 'up'> = {
  name: 'many-writers',
  async up(db) {
    await changeHolds(db)
    await partitionUsageRecords(db)
    await leaveRoom(db)
  },
}

async function changeHolds(db: Schema): Promise<void> {
  await sql`create sequence hold_numbers`.execute(db)
  // Verification reads records up to this number; here the sequence knows it, and the number bounds nothing.
  await sql`update ledger_head set hold_seq = 9007199254740991`.execute(db)
  await sql`
    alter table holds
      add column process_id text not null,
      add column deadline_at_ms bigint not null,
      add column day integer not null,
      add constraint holds_id unique (id)`.execute(db)
  await sql`create index holds_process on holds (process_id)`.execute(db)
  await sql`create index holds_deadline on holds (deadline_at_ms)`.execute(db)
}

/**
 * A partitioned table's unique values include what it is partitioned by. The day of a record is that of its hold, which
 * is written once, so a hold's number is as unique with the day as it is alone. Records of a day that has no partition
 * yet go to the last one.
 */
async function partitionUsageRecords(db: Schema): Promise<void> {
  await sql`drop table usage_records`.execute(db)
  await sql`
    create table usage_records (
      hold_seq bigint not null,
      day integer not null,
      hold_id text not null,
      generation_id text not null,
      account_no bigint not null,
      key_no bigint,
      model text not null,
      outcome text not null,
      held_nano bigint not null,
      cost_nano bigint not null,
      writeoff_nano bigint not null check (writeoff_nano >= 0),
      balance_before_nano bigint not null,
      cost_delivered bigint not null,
      created_at_ms bigint not null,
      lines text not null,
      details text not null,
      swept bigint not null default 0 check (swept in (0, 1, 2)),
      overdraft_nano bigint not null default 0,
      balance_after_nano bigint,
      primary key (hold_seq, day),
      unique (hold_id, day),
      unique (generation_id, day),
      constraint cost_within_hold check (0 <= cost_nano and cost_nano <= held_nano)
    ) partition by range (day)`.execute(db)
  await sql`create table usage_records_other partition of usage_records default`.execute(db)
  await sql`create index usage_records_account on usage_records (account_no, day, hold_seq)`.execute(db)
}

/** Rows that every request changes find room for their next version in their own page, so that no index is touched. */
async function leaveRoom(db: Schema): Promise<void> {
  for (const table of ['accounts', 'api_keys', 'rate_buckets'])
    await sql`alter table ${sql.table(table)} set (fillfactor = 70)`.execute(db)
}
