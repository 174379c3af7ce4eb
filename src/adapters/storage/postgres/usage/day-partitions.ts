import { sql } from 'kysely'
import type { Sql } from '../../sql/tables.ts'

/*
 * Usage records lie in a partition per UTC day of their admission (days since 1970). A record of a day without one goes to
 * the default partition, from which it is moved when its day gets one.
 */

export const defaultPartition = 'usage_records_other'
const namePrefix = 'usage_records_day_'
/** Any number that nothing else in the database locks by; who changes partitions holds it until the commit. */
const partitionsLock = 0x75736167
/** Whoever wants the lock after us waits as long: requests are settled meanwhile. */
const lockWaitMs = 250

/** Rows of a day that are moved at once: with more of them moving would hold up settlements, and they stay where they are. */
const movedRowsMax = 50_000

/**
 * Takes the right to change partitions until the transaction ends, in which locks of tables are waited for only briefly.
 * False when another gateway has it: then that one does what is to be done.
 */
export async function mayChangePartitions(db: Sql): Promise<boolean> {
  await sql.raw(`set local lock_timeout = ${lockWaitMs}`).execute(db)
  const { rows } = await sql<{ readonly taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(partitionsLock)}) as taken`.execute(db)
  return rows[0]?.taken === true
}

/** Days that have a partition of their own, the oldest first. */
export async function listDays(db: Sql): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid
    where inhparent = 'usage_records'::regclass`.execute(db)
  const names = rows.map(({ name }) => name).filter(name => name.startsWith(namePrefix))
  return names.map(name => Number(name.slice(namePrefix.length))).sort((left, right) => left - right)
}

/**
 * Gives the day its partition, with what was written for it before; returns how many records that were. The table is made
 * beside the others and then attached, so that only the default partition is locked for others.
 */
export async function createDay(db: Sql, day: number): Promise<number> {
  const [name, other] = [sql.table(partitionOf(day)), sql.table(defaultPartition)]
  await sql`lock table ${other} in access exclusive mode`.execute(db)
  const records = await countOther(db, day)
  if (records > movedRowsMax) return 0
  await sql`create table ${name} (like usage_records including all)`.execute(db)
  await sql`
    with moved as (delete from ${other} where day = ${day} returning *)
    insert into ${name} select * from moved`.execute(db)
  const bounds = sql.raw(`from (${day}) to (${day + 1})`)
  await sql`alter table usage_records attach partition ${name} for values ${bounds}`.execute(db)
  return records
}

async function countOther(db: Sql, day: number): Promise<number> {
  const { rows } = await sql<{ readonly count: string }>`
    select count(*) from (select from ${sql.table(defaultPartition)} where day = ${day} limit ${movedRowsMax + 1}) as found`.execute(
    db,
  )
  return Number(rows[0]?.count)
}

/**
 * Removes a day as a whole and returns how many records it had. Their cost is remembered per account in the same
 * transaction: while it is added up nobody corrects a record of the day, and all days are locked for a moment only.
 */
export async function dropDay(db: Sql, day: number): Promise<number> {
  const name = sql.table(partitionOf(day))
  await sql`lock table ${name} in share mode`.execute(db)
  const { rows } = await sql<{ readonly records: string | null }>`
    with pruned as (select account_no, count(*) as records, sum(cost_nano) as cost_nano from ${name} group by account_no),
    added as (
      insert into pruned_usage as kept (account_no, records, cost_nano) select * from pruned
      on conflict (account_no) do update
        set records = kept.records + excluded.records, cost_nano = kept.cost_nano + excluded.cost_nano
    )
    select sum(records) as records from pruned`.execute(db)
  await sql`drop table ${name}`.execute(db)
  return Number(rows[0]?.records ?? 0)
}

function partitionOf(day: number): string {
  return `${namePrefix}${day}`
}
