import type { ColumnType, Kysely } from 'kysely'

/**
 * An integer column as drivers hand it over: libsql in safe-integer mode gives `bigint`, PostgreSQL's driver gives text.
 * `mapping.ts` turns it into a number or an amount; nothing else looks at it.
 */
type DbInteger = ColumnType<bigint | number | string, bigint | number, bigint | number>
type DbIntegerOrNull = ColumnType<bigint | number | string | null, bigint | number | null, bigint | number | null>
/** A number that the database gives to new rows. */
type DbSerial = ColumnType<bigint | number | string, never, never>
type DbBytes = ColumnType<Uint8Array | ArrayBuffer, Uint8Array, Uint8Array>
type DbBytesOrNull = ColumnType<Uint8Array | ArrayBuffer | null, Uint8Array | null, Uint8Array | null>

/**
 * Money columns end in `_nano`, times in `_at_ms`, flags are 0 or 1, structures are JSON text. Rows refer to accounts and
 * keys by their number (`no`): indices over it are a third of those over the id, and the ledger writes one per request.
 */
export interface Tables {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  key_days: KeyDaysTable
  rate_buckets: RateBucketsTable
  holds: HoldsTable
  usage_records: UsageRecordsTable
  pruned_usage: PrunedUsageTable
  transfers: TransfersTable
  ledger_head: LedgerHeadTable
  price_lists: PriceListsTable
  idempotency_keys: IdempotencyKeysTable
  settings: SettingsTable
  schema_migrations: SchemaMigrationsTable
}

export type Sql = Kysely<Tables>

/** Sums over transfers and open holds, kept in the transaction that changes them; `verify` adds them up again. */
interface AccountsTable {
  no: DbSerial
  id: string
  name: string
  mode: string
  pro: DbInteger
  diem_per_day_nano: DbInteger
  balance_nano: DbInteger
  held_nano: DbInteger
  open_holds: DbInteger
  credited_nano: DbInteger
  debited_nano: DbInteger
  free_failure_hour: DbInteger
  free_failures: DbInteger
  created_at_ms: DbInteger
}

export interface ApiKeysTable {
  no: DbSerial
  id: string
  account_no: DbInteger
  hash: DbBytes
  label: string
  type: string
  last6: string
  limit_nano: DbIntegerOrNull
  limit_diem_nano: DbIntegerOrNull
  period: string
  privacy: string
  allowed_models: string | null
  requests_per_minute: DbIntegerOrNull
  tokens_per_minute: DbIntegerOrNull
  concurrency: DbIntegerOrNull
  expires_at_ms: DbIntegerOrNull
  revoked_at_ms: DbIntegerOrNull
  period_start_ms: DbInteger
  spent_nano: DbInteger
  held_nano: DbInteger
  open_holds: DbInteger
  created_at_ms: DbInteger
}

/** What a key was charged per UTC day, by the day of the settlement. */
interface KeyDaysTable {
  key_no: DbInteger
  day: DbInteger
  charged_nano: DbInteger
}

/** Token buckets: of an account and a model (`key_no` 0), or of a key (`account_no` 0, `model` empty). */
interface RateBucketsTable {
  account_no: DbInteger
  key_no: DbInteger
  model: string
  requests_level: number | null
  requests_at_ms: DbIntegerOrNull
  tokens_level: number | null
  tokens_at_ms: DbIntegerOrNull
}

/** Exactly the open holds: resolving one deletes it here and writes its usage record. */
export interface HoldsTable {
  seq: DbInteger
  id: string
  account_no: DbInteger
  key_no: DbInteger
  amount_nano: DbInteger
  /** What its usage record and its release will need, as one text; nothing is searched for in it (see hold-facts.ts). */
  facts: string
  mark_charge_nano: DbIntegerOrNull
  mark_prompt_tokens: DbIntegerOrNull
  mark_completion_tokens: DbIntegerOrNull
}

/** The resolution of a hold, of which its primary key allows one, and the explanation of the request. */
export interface UsageRecordsTable {
  hold_seq: DbInteger
  hold_id: string
  generation_id: string
  account_no: DbInteger
  key_no: DbIntegerOrNull
  model: string
  outcome: string
  held_nano: DbInteger
  cost_nano: DbInteger
  writeoff_nano: DbInteger
  balance_before_nano: DbInteger
  cost_delivered: DbInteger
  created_at_ms: DbInteger
  lines: string
  details: string
  /** 0: by its own settlement. 1: by recovery or the sweeper. 2: so, and corrected by the settlement that came late. */
  swept: DbInteger
  /** How far below zero the account may go for a late settlement; kept for swept ones only. */
  overdraft_nano: DbInteger
  /** Set by a late settlement; otherwise the balance after is the one before, less the cost. */
  balance_after_nano: DbIntegerOrNull
}

/** What pruned records had cost: without it the debits that stay could not be explained. */
interface PrunedUsageTable {
  account_no: DbInteger
  records: DbInteger
  cost_nano: DbInteger
}

/** Append-only, numbered without a gap, each row's hash covering the row before it. */
export interface TransfersTable {
  seq: DbInteger
  id: string | null
  code: string
  debit: string
  credit: string
  asset: string
  amount_nano: DbInteger
  customer_no: DbIntegerOrNull
  balance_after_nano: DbIntegerOrNull
  hold_seq: DbIntegerOrNull
  line: string | null
  note: string
  idempotency_key: string | null
  created_at_ms: DbInteger
  hash: string
}

/** One row: how far holds and transfers are numbered, and the last transfer's hash. */
interface LedgerHeadTable {
  id: DbInteger
  hold_seq: DbInteger
  transfer_seq: DbInteger
  transfer_hash: string
}

interface PriceListsTable {
  version: string
  input_nano: DbInteger
  output_nano: DbInteger
  cache_read_nano: DbInteger
  cache_write_nano: DbInteger
  search_nano: DbInteger
}

interface IdempotencyKeysTable {
  account_id: string
  route: string
  key: string
  fingerprint: DbBytes
  request_id: string
  hold_id: string
  process_id: string
  state: string
  answer_status: DbIntegerOrNull
  answer_content_type: string | null
  answer_body: DbBytesOrNull
  created_at_ms: DbInteger
  /** Null while the request runs. */
  expires_at_ms: DbIntegerOrNull
}

interface SettingsTable {
  name: string
  value: string
}

interface SchemaMigrationsTable {
  number: DbInteger
  name: string
  applied_at_ms: DbInteger
}
