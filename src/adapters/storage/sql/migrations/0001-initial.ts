import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Migration } from './migration.ts'

type Schema = Kysely<unknown>

export const initial: Migration = {
  number: 1,
  name: 'initial',
  async up(db, traits) {
    await createAccounts(db, traits)
    await createKeys(db, traits)
    await createRates(db, traits)
    await createHolds(db, traits)
    await createUsageRecords(db, traits)
    await createTransfers(db, traits)
    await createPriceLists(db, traits)
    await createIdempotencyKeys(db, traits)
    await createSettings(db, traits)
  },
}

async function createAccounts(db: Schema, traits: EngineTraits): Promise<void> {
  const { integer } = traits
  await db.schema
    .createTable('accounts')
    .addColumn('no', integer, column => traits.autoNumber(column.primaryKey()))
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('name', 'text', column => column.notNull().unique())
    .addColumn('mode', 'text', column => column.notNull().check(sql`mode in ('soft', 'strict')`))
    .addColumn('pro', integer, column => column.notNull())
    .addColumn('diem_per_day_nano', integer, column => column.notNull())
    .addColumn('balance_nano', integer, column => column.notNull())
    .addColumn('held_nano', integer, column => column.notNull().check(sql`held_nano >= 0`))
    .addColumn('open_holds', integer, column => column.notNull().check(sql`open_holds >= 0`))
    .addColumn('credited_nano', integer, column => column.notNull().check(sql`credited_nano >= 0`))
    .addColumn('debited_nano', integer, column => column.notNull().check(sql`debited_nano >= 0`))
    .addColumn('free_failure_hour', integer, column => column.notNull())
    .addColumn('free_failures', integer, column => column.notNull().check(sql`free_failures >= 0`))
    .addColumn('created_at_ms', integer, column => column.notNull())
    .addCheckConstraint('balance_is_entries', sql`balance_nano = credited_nano - debited_nano`)
    .modifyEnd(traits.tableEnd)
    .execute()
}

async function createKeys(db: Schema, traits: EngineTraits): Promise<void> {
  const { integer } = traits
  await db.schema
    .createTable('api_keys')
    .addColumn('no', integer, column => traits.autoNumber(column.primaryKey()))
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('account_no', integer, column => column.notNull().references('accounts.no'))
    .addColumn('hash', traits.bytes, column => column.notNull().unique())
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('last6', 'text', column => column.notNull())
    .addColumn('limit_nano', integer, column => column.check(sql`limit_nano >= 0`))
    .addColumn('limit_diem_nano', integer, column => column.check(sql`limit_diem_nano >= 0`))
    .addColumn('period', 'text', column => column.notNull())
    .addColumn('privacy', 'text', column => column.notNull())
    .addColumn('allowed_models', 'text')
    .addColumn('requests_per_minute', integer)
    .addColumn('tokens_per_minute', integer)
    .addColumn('concurrency', integer)
    .addColumn('expires_at_ms', integer)
    .addColumn('revoked_at_ms', integer)
    .addColumn('period_start_ms', integer, column => column.notNull())
    .addColumn('spent_nano', integer, column => column.notNull())
    .addColumn('held_nano', integer, column => column.notNull().check(sql`held_nano >= 0`))
    .addColumn('open_holds', integer, column => column.notNull().check(sql`open_holds >= 0`))
    .addColumn('created_at_ms', integer, column => column.notNull())
    .modifyEnd(traits.tableEnd)
    .execute()
  await db.schema.createIndex('api_keys_account').on('api_keys').column('account_no').execute()
}

async function createRates(db: Schema, traits: EngineTraits): Promise<void> {
  const { integer, real } = traits
  await db.schema
    .createTable('rate_buckets')
    .addColumn('account_no', integer, column => column.notNull())
    .addColumn('key_no', integer, column => column.notNull())
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('requests_level', real)
    .addColumn('requests_at_ms', integer)
    .addColumn('tokens_level', real)
    .addColumn('tokens_at_ms', integer)
    .addPrimaryKeyConstraint('rate_buckets_owner', ['account_no', 'key_no', 'model'])
    .modifyEnd(traits.tableEnd)
    .execute()
  await db.schema
    .createTable('key_days')
    .addColumn('key_no', integer, column => column.notNull())
    .addColumn('day', integer, column => column.notNull())
    .addColumn('charged_nano', integer, column => column.notNull())
    .addPrimaryKeyConstraint('key_days_key', ['key_no', 'day'])
    .modifyEnd(traits.tableEnd)
    .execute()
}

async function createHolds(db: Schema, { integer, tableEnd }: EngineTraits): Promise<void> {
  await db.schema
    .createTable('holds')
    .addColumn('seq', integer, column => column.primaryKey())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('account_no', integer, column => column.notNull())
    .addColumn('key_no', integer, column => column.notNull())
    .addColumn('amount_nano', integer, column => column.notNull().check(sql`amount_nano >= 0`))
    .addColumn('facts', 'text', column => column.notNull())
    .addColumn('mark_charge_nano', integer, column => column.check(sql`mark_charge_nano >= 0`))
    .addColumn('mark_prompt_tokens', integer)
    .addColumn('mark_completion_tokens', integer)
    .modifyEnd(tableEnd)
    .execute()
}

async function createUsageRecords(db: Schema, { integer, tableEnd }: EngineTraits): Promise<void> {
  await db.schema
    .createTable('usage_records')
    .addColumn('hold_seq', integer, column => column.primaryKey())
    .addColumn('hold_id', 'text', column => column.notNull().unique())
    .addColumn('generation_id', 'text', column => column.notNull().unique())
    .addColumn('account_no', integer, column => column.notNull())
    .addColumn('key_no', integer)
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('outcome', 'text', column => column.notNull())
    .addColumn('held_nano', integer, column => column.notNull())
    .addColumn('cost_nano', integer, column => column.notNull())
    .addColumn('writeoff_nano', integer, column => column.notNull().check(sql`writeoff_nano >= 0`))
    .addColumn('balance_before_nano', integer, column => column.notNull())
    .addColumn('cost_delivered', integer, column => column.notNull())
    .addColumn('created_at_ms', integer, column => column.notNull())
    .addColumn('lines', 'text', column => column.notNull())
    .addColumn('details', 'text', column => column.notNull())
    .addColumn('swept', integer, column => column.notNull().defaultTo(0).check(sql`swept in (0, 1, 2)`))
    .addColumn('overdraft_nano', integer, column => column.notNull().defaultTo(0))
    .addColumn('balance_after_nano', integer)
    .addCheckConstraint('cost_within_hold', sql`0 <= cost_nano and cost_nano <= held_nano`)
    .modifyEnd(tableEnd)
    .execute()
  await db.schema.createIndex('usage_records_account').on('usage_records').columns(['account_no', 'hold_seq']).execute()
  await db.schema
    .createTable('pruned_usage')
    .addColumn('account_no', integer, column => column.primaryKey())
    .addColumn('records', integer, column => column.notNull())
    .addColumn('cost_nano', integer, column => column.notNull())
    .modifyEnd(tableEnd)
    .execute()
}

async function createTransfers(db: Schema, traits: EngineTraits): Promise<void> {
  const { integer } = traits
  await db.schema
    .createTable('transfers')
    .addColumn('seq', integer, column => column.primaryKey())
    .addColumn('id', 'text')
    .addColumn('code', 'text', column => column.notNull())
    .addColumn('debit', 'text', column => column.notNull())
    .addColumn('credit', 'text', column => column.notNull())
    .addColumn('asset', 'text', column => column.notNull().defaultTo('usd'))
    .addColumn('amount_nano', integer, column => column.notNull().check(sql`amount_nano > 0`))
    .addColumn('customer_no', integer)
    .addColumn('balance_after_nano', integer)
    .addColumn('hold_seq', integer)
    .addColumn('line', 'text')
    .addColumn('note', 'text', column => column.notNull().defaultTo(''))
    .addColumn('idempotency_key', 'text')
    .addColumn('created_at_ms', integer, column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .addCheckConstraint('two_sides', sql`debit <> credit`)
    .modifyEnd(traits.tableEnd)
    .execute()
  await indexTransfers(db)
  await db.schema
    .createTable('ledger_head')
    .addColumn('id', integer, column => column.primaryKey().check(sql`id = 1`))
    .addColumn('hold_seq', integer, column => column.notNull())
    .addColumn('transfer_seq', integer, column => column.notNull())
    .addColumn('transfer_hash', 'text', column => column.notNull())
    .modifyEnd(traits.tableEnd)
    .execute()
  await sql`insert into ledger_head (id, hold_seq, transfer_seq, transfer_hash) values (1, 0, 0, '')`.execute(db)
}

async function indexTransfers(db: Schema): Promise<void> {
  const unique = (name: string) => db.schema.createIndex(name).unique().on('transfers')
  await unique('transfers_line').columns(['hold_seq', 'line', 'asset']).where(sql.ref('line'), 'is not', null).execute()
  await unique('transfers_key').column('idempotency_key').where(sql.ref('idempotency_key'), 'is not', null).execute()
  await unique('transfers_id').column('id').where(sql.ref('id'), 'is not', null).execute()
  await db.schema.createIndex('transfers_customer').on('transfers').columns(['customer_no', 'created_at_ms']).execute()
}

async function createPriceLists(db: Schema, { integer, tableEnd }: EngineTraits): Promise<void> {
  await db.schema
    .createTable('price_lists')
    .addColumn('version', 'text', column => column.primaryKey().notNull())
    .addColumn('input_nano', integer, column => column.notNull())
    .addColumn('output_nano', integer, column => column.notNull())
    .addColumn('cache_read_nano', integer, column => column.notNull())
    .addColumn('cache_write_nano', integer, column => column.notNull())
    .addColumn('search_nano', integer, column => column.notNull())
    .modifyEnd(tableEnd)
    .execute()
}

async function createIdempotencyKeys(db: Schema, { integer, bytes, tableEnd }: EngineTraits): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('account_id', 'text', column => column.notNull())
    .addColumn('route', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('fingerprint', bytes, column => column.notNull())
    .addColumn('request_id', 'text', column => column.notNull())
    .addColumn('hold_id', 'text', column => column.notNull())
    .addColumn('process_id', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull().check(sql`state in ('running', 'done')`))
    .addColumn('answer_status', integer)
    .addColumn('answer_content_type', 'text')
    .addColumn('answer_body', bytes)
    .addColumn('created_at_ms', integer, column => column.notNull())
    .addColumn('expires_at_ms', integer)
    .addPrimaryKeyConstraint('idempotency_keys_scope', ['account_id', 'route', 'key'])
    .modifyEnd(tableEnd)
    .execute()
  await db.schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_at_ms').execute()
}

async function createSettings(db: Schema, { tableEnd }: EngineTraits): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', column => column.primaryKey().notNull())
    .addColumn('value', 'text', column => column.notNull())
    .modifyEnd(tableEnd)
    .execute()
}
