import type { ColumnType, Kysely } from 'kysely'

/**
 * An integer column as drivers hand it over: libsql in safe-integer mode gives `bigint`, PostgreSQL's driver gives text.
 * `mapping.ts` turns it into a number or an amount; nothing else looks at it.
 */
type DbInteger = ColumnType<bigint | number | string, bigint | number, bigint | number>
type DbIntegerOrNull = ColumnType<bigint | number | string | null, bigint | number | null, bigint | number | null>
/** A number that the database gives to new rows. */
type DbSerial = ColumnType<bigint | number | string, never, never>
/** What the database computes, or a statement of the ledger writes; stores only read it. */
type DbRead = ColumnType<bigint | number | string, never, never>
/** A sum that begins at nothing. */
type DbSum = ColumnType<bigint | number | string, bigint | number | undefined, bigint | number>
type DbBytes = ColumnType<Uint8Array | ArrayBuffer, Uint8Array, Uint8Array>
type DbBytesOrNull = ColumnType<Uint8Array | ArrayBuffer | null, Uint8Array | null, Uint8Array | null>

/**
 * Money columns end in `_nano`, times in `_at_ms`, flags are 0 or 1, structures are JSON text. Rows refer to accounts and
 * keys by their number (`no`): indices over it are a third of those over the id, and the ledger writes one per request.
 */
export interface Tables {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  rate_buckets: RateBucketsTable
  rate_refusals: RateRefusalsTable
  failure_counts: FailureCountsTable
  holds: HoldsTable
  usage_records: UsageRecordsTable
  usage_days: UsageDaysTable
  usage_days_unusual: UsageDaysTable & { readonly outcome: string }
  usage_day_lines: UsageDayLinesTable
  pruned_usage: PrunedUsageTable
  transfers: TransfersTable
  ledger_head: LedgerHeadTable
  price_lists: PriceListsTable
  idempotency_keys: IdempotencyKeysTable
  settings: SettingsTable
  shared_head: SharedHeadTable
  shared_documents: SharedDocumentsTable
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
  /** What was spent and is held of the allowance of the day of this number; another day's begins at nothing. */
  diem_day: DbSum
  diem_spent_nano: DbSum
  diem_held_nano: DbSum
  earned_nano: DbSum
  earned_held_nano: DbSum
  bundled_nano: DbSum
  bundled_held_nano: DbSum
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
  /** The same in DIEM, which the two above do not count. */
  spent_diem_nano: DbSum
  held_diem_nano: DbSum
  requests_per_day: DbIntegerOrNull
}

/** Token buckets and counts of days: of an account and a model (`key_no` 0), or of a key (`account_no` 0, `model` empty). */
interface RateBucketsTable {
  account_no: DbInteger
  key_no: DbInteger
  model: string
  requests_level: number | null
  requests_at_ms: DbIntegerOrNull
  tokens_level: number | null
  tokens_at_ms: DbIntegerOrNull
  day: DbIntegerOrNull
  day_requests: DbIntegerOrNull
}

/** The last fifty of each account. */
interface RateRefusalsTable {
  no: DbSerial
  account_no: DbInteger
  key_no: DbInteger
  model: string
  rate: string
  at_ms: DbInteger
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
  mark_searches: DbIntegerOrNull
  mark_pages: DbIntegerOrNull
  /** What of the amount is not dollars (see currency-parts.ts). */
  parts: string | null
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
  /** UTC days since 1970. Where records lie in partitions, of the hold's admission; else of `created_at_ms`. */
  day: DbRead
  /** This and the counts of tokens repeat what the text of details says. */
  status: DbRead
  prompt_tokens: DbRead
  completion_tokens: DbRead
  cached_tokens: DbRead
  cache_write_tokens: DbRead
  reasoning_tokens: DbRead
  /** 0: by its own settlement. 1: by recovery or the sweeper. 2: so, and corrected by the settlement that came late. */
  swept: DbInteger
  /** How far below zero the account may go for a late settlement; kept for swept ones only. */
  overdraft_nano: DbInteger
  /** Set by a late settlement; otherwise the balance after is the one before, less the cost. */
  balance_after_nano: DbIntegerOrNull
  /** What of the hold, and of the cost, is not dollars (see currency-parts.ts). Balances here are those in dollars. */
  held_parts: string | null
  paid_parts: string | null
  /** The part of the cost that was paid in DIEM. */
  diem_nano: DbSum
}

/**
 * Sums of the records of a day, pruned ones included; kept in the transaction that writes a record or corrects it. Those
 * that did not end as `done` are summed up once more, by outcome.
 */
interface UsageDaysTable {
  day: DbInteger
  account_no: DbInteger
  /** 0 for records without a key. */
  key_no: DbInteger
  model: string
  requests: DbInteger
  prompt_tokens: DbInteger
  completion_tokens: DbInteger
  cached_tokens: DbInteger
  cache_write_tokens: DbInteger
  reasoning_tokens: DbInteger
  cost_nano: DbInteger
  writeoff_nano: DbInteger
  diem_nano: DbSum
}

/** What was sold of each kind, by the lines of the records; not by key. A report, which nothing is decided by. */
interface UsageDayLinesTable {
  day: DbInteger
  account_no: DbInteger
  model: string
  kind: string
  units: DbInteger
  cost_nano: DbInteger
  /** The part that was paid in DIEM. */
  diem_nano: DbInteger
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
  page_nano: DbInteger
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

/** A bucket of an error budget; the name of its user is a hash, or empty. */
interface FailureCountsTable {
  owner: string
  model: string
  user_name: string
  failed: DbInteger
  unsupported: DbInteger
  ends_at_ms: DbInteger
}

interface SettingsTable {
  name: string
  value: string
}

/** One row: the version of the last change of any document. */
interface SharedHeadTable {
  id: DbInteger
  version: DbInteger
}

/** What all gateways on the store follow; sealed. */
interface SharedDocumentsTable {
  name: string
  version: DbInteger
  content: DbBytes
}

interface SchemaMigrationsTable {
  number: DbInteger
  name: string
  applied_at_ms: DbInteger
}
