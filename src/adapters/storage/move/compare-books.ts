import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../sql/tables.ts'

/** One row: whom it is about, and what is to agree. */
type Figures = Readonly<Record<string, bigint | number | string | null>>

/** Sums of billions of dollars go beyond 64 bits, so dollars and what is below one are added up apart. */
function exactSum(column: string): RawBuilder<unknown> {
  const [amount, usd, nano] = [sql.ref(column), sql.ref(`${column}_usd`), sql.ref(`${column}_rest`)]
  return sql`sum(${amount} / 1000000000) as ${usd}, sum(${amount} % 1000000000) as ${nano}`
}

type Questions = Readonly<Record<string, RawBuilder<Figures>>>

/** Transfers and records beyond these numbers. */
export interface HistoryPosition {
  readonly transferSeq: number
  readonly recordSeq: number
}

/** What is summed up for each owner, to the nano-USD. Both engines understand the statements. */
const state: Questions = {
  account: sql`
    select id as owner, mode, pro, balance_nano, held_nano, open_holds, credited_nano, debited_nano,
           free_failure_hour, free_failures from accounts`,
  'other currencies of account': sql`
    select id as owner, earned_nano, earned_held_nano, bundled_nano, bundled_held_nano,
           diem_per_day_nano, diem_day, diem_spent_nano, diem_held_nano from accounts`,
  key: sql`
    select id as owner, spent_nano, held_nano, spent_diem_nano, held_diem_nano, open_holds, limit_nano, limit_diem_nano,
           period, period_start_ms, expires_at_ms, revoked_at_ms, type, privacy, allowed_models, requests_per_minute,
           tokens_per_minute, requests_per_day, concurrency from api_keys`,
  'usage of key': sql`
    select key_no as owner, count(*) as sums, sum(requests) as requests, ${exactSum('cost_nano')},
           ${exactSum('diem_nano')}, ${exactSum('writeoff_nano')}
    from usage_days group by key_no`,
  'usage of kind': sql`
    select kind as owner, count(*) as sums, sum(units) as units, ${exactSum('cost_nano')}, ${exactSum('diem_nano')}
    from usage_day_lines group by kind`,
  'usage of day': sql`
    select day as owner, count(*) as sums, sum(requests) as requests, ${exactSum('cost_nano')},
           sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens
    from usage_days group by day`,
  'pruned records of account': sql`select account_no as owner, records, cost_nano from pruned_usage`,
  'open hold': sql`select id as owner, account_no, key_no, amount_nano, parts, mark_charge_nano from holds`,
  chain: sql`select 'end' as owner, transfer_seq, transfer_hash from ledger_head`,
  'price list': sql`
    select version as owner, input_nano, output_nano, cache_read_nano, cache_write_nano, search_nano, page_nano
    from price_lists`,
}

function history(after: HistoryPosition, through: HistoryPosition): Questions {
  return {
    'transfers of account and currency': sql`
      select coalesce(customer_no, 0) || ' ' || asset as owner, count(*) as transfers, ${exactSum('amount_nano')},
             ${exactSum('balance_after_nano')}, max(seq) as last
      from transfers where seq > ${after.transferSeq} and seq <= ${through.transferSeq} group by customer_no, asset`,
    'records of account': sql`
      select account_no as owner, count(*) as records, ${exactSum('cost_nano')}, ${exactSum('held_nano')},
             ${exactSum('writeoff_nano')}, ${exactSum('diem_nano')}, ${exactSum('overdraft_nano')},
             ${exactSum('balance_before_nano')}, ${exactSum('balance_after_nano')}, max(hold_seq) as last
      from usage_records where hold_seq > ${after.recordSeq} and hold_seq <= ${through.recordSeq} group by account_no`,
  }
}

/** Compared row by row or owner by owner, or filled otherwise on purpose: keys that expired are left behind. */
const notCounted = ['transfers', 'usage_records', 'settings', 'idempotency_keys']

export interface Stores {
  readonly source: Sql
  readonly target: Sql
}

/** What the stores say differently of transfers and records between two positions; empty when they agree. */
export function compareHistory(
  stores: Stores,
  after: HistoryPosition,
  through: HistoryPosition,
): Promise<readonly string[]> {
  return ask(stores, history(after, through))
}

/** What they say differently of everything else, and in which of the tables one has more rows. */
export function compareState(stores: Stores, tables: readonly string[]): Promise<readonly string[]> {
  const counted = tables.filter(table => !notCounted.includes(table))
  return ask(stores, { ...state, table: rowsOf(counted) })
}

async function ask({ source, target }: Stores, questions: Questions): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [subject, question] of Object.entries(questions)) {
    const left = answersByOwner(await question.execute(source))
    const arrived = answersByOwner(await question.execute(target))
    for (const owner of new Set([...left.keys(), ...arrived.keys()])) {
      const [before, after] = [left.get(owner), arrived.get(owner)]
      if (before !== after)
        problems.push(`${subject} ${owner}: SQLite says ${before ?? 'nothing'}, PostgreSQL ${after ?? 'nothing'}`)
    }
  }
  return problems
}

function rowsOf(tables: readonly string[]): RawBuilder<Figures> {
  const counts = tables.map(table => sql`select ${sql.lit(table)} as owner, count(*) as n from ${sql.table(table)}`)
  return sql`${sql.join(counts, sql` union all `)}`
}

/** Integers come as bigint or text, so both are written out. */
function answersByOwner({ rows }: { readonly rows: readonly Figures[] }): ReadonlyMap<string, string> {
  return new Map(
    rows.map(({ owner, ...figures }) => [
      String(owner),
      Object.entries(figures)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ]),
  )
}
