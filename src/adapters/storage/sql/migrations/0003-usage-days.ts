import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Migration } from './migration.ts'

type Schema = Kysely<unknown>

/**
 * Sums of usage records per day, account, key and model, kept in the transaction that writes a record: lists and charts over
 * millions of records read these instead. Requests that did not end as `done` are summed up by their outcome besides: they
 * are few, and an outcome in every row would double the rows. Records that were pruned before have lost all but their
 * account and cost; they stand under day 0, so that sums and records still agree. What a key was charged per day is
 * among the sums.
 */
export const usageDays: Migration = {
  number: 3,
  name: 'usage-days',
  async up(db, traits) {
    await traits.addRecordColumns(db)
    await createSums(db, traits, { table: 'usage_days', owners: ['account_no', 'key_no', 'model'] })
    await createSums(db, traits, { table: 'usage_days_unusual', owners: ['account_no', 'key_no', 'model', 'outcome'] })
    await countRecords(db)
    await db.schema.dropTable('key_days').execute()
  },
}

const counts = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_nano',
  'writeoff_nano',
]

interface SumsTable {
  readonly table: string
  readonly owners: readonly string[]
}

/** A row changes with every request and is new once a day: indexes cost next to nothing here. */
async function createSums(
  db: Schema,
  { integer, tableEnd }: EngineTraits,
  { table, owners }: SumsTable,
): Promise<void> {
  const typeOf = (name: string) => (name === 'model' || name === 'outcome' ? 'text' : integer)
  const columns = ['day', ...owners, ...counts]
  await columns
    .reduce((made, name) => made.addColumn(name, typeOf(name), column => column.notNull()), createTable(db, table))
    .addPrimaryKeyConstraint(`${table}_key`, ['day', ...owners])
    .modifyEnd(tableEnd)
    .execute()
  for (const name of owners) await sql.raw(`create index ${table}_${name} on ${table} (${name}, day)`).execute(db)
}

/** With columns that are not known by name here. */
function createTable(db: Schema, table: string): CreateTableBuilder<string, string> {
  return db.schema.createTable(table)
}

async function countRecords(db: Schema): Promise<void> {
  const sums = sql.raw(counts.map(name => (name === 'requests' ? 'count(*)' : `sum(${name})`)).join(', '))
  await sql`
    insert into usage_days select day, account_no, coalesce(key_no, 0), model, ${sums}
    from usage_records group by 1, 2, 3, 4`.execute(db)
  await sql`
    insert into usage_days_unusual select day, account_no, coalesce(key_no, 0), model, outcome, ${sums}
    from usage_records where outcome <> 'done' group by 1, 2, 3, 4, 5`.execute(db)
  await sql`
    insert into usage_days select 0, account_no, 0, '', records, 0, 0, 0, 0, 0, cost_nano, 0
    from pruned_usage`.execute(db)
}
