import type pg from 'pg'
import { withConnection } from '../support/postgres/database.ts'

/** How much there is in a store that is generated. Days end with `lastDay`, which is as full as the others. */
export interface Extent {
  readonly rows: number
  readonly days: number
  readonly accounts: number
  readonly keys: number
  readonly models: number
  /** UTC days since 1970. */
  readonly lastDay: number
}

/** Connections that write at once; each makes one day after the other. */
const lanes = 2
const dayMs = 86_400_000

const sums = `count(*), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(cache_write_tokens),
  sum(reasoning_tokens), sum(cost_nano), sum(writeoff_nano)`

/**
 * Fills a store on PostgreSQL that has its schema and is empty with usage records as a year of business leaves them: a few
 * accounts, keys and models have most of the requests, ids grow with time, texts are as long as real ones. Sums agree
 * with records; books are left out, so that `ledger verify` would complain. Each day is made as a table of its own and then
 * attached, which builds its indexes at once.
 */
export async function generateRows(url: string, extent: Extent): Promise<void> {
  await withLongConnection(url, client => makeOwners(client, extent))
  const days = Array.from({ length: extent.days }, (_, index) => extent.lastDay - index)
  await Promise.all(
    Array.from({ length: lanes }, () =>
      withLongConnection(url, async client => {
        for (let day = days.pop(); day !== undefined; day = days.pop()) await makeDay(client, day, extent)
      }),
    ),
  )
  await withLongConnection(url, async client => {
    await client.query('analyze accounts, api_keys')
    await client.query('vacuum (analyze) usage_days, usage_days_unusual')
  })
}

async function makeOwners(client: pg.Client, { accounts, keys, lastDay, days }: Extent): Promise<void> {
  const createdAtMs = (lastDay - days) * dayMs
  await client.query(
    `insert into accounts (id, name, mode, pro, diem_per_day_nano, balance_nano, held_nano, open_holds, credited_nano,
       debited_nano, free_failure_hour, free_failures, created_at_ms)
     select 'acc_' || lpad(to_hex(i), 24, '0'), 'account-' || i, 'soft', 0, 0, 0, 0, 0, 0, 0, 0, 0, $2
     from generate_series(1, $1::integer) i order by i`,
    [accounts, createdAtMs],
  )
  await client.query(
    `insert into api_keys (id, account_no, hash, label, type, last6, period, privacy, period_start_ms, spent_nano,
       held_nano, open_holds, created_at_ms)
     select 'key_' || lpad(to_hex(i), 24, '0'), 1 + (i - 1) % $2::integer, decode(md5('key' || i), 'hex'), 'key ' || i,
       'inference', 'abcdef', 'lifetime', 'all', 0, 0, 0, 0, $3
     from generate_series(1, $1::integer) i order by i`,
    [keys, accounts, createdAtMs],
  )
}

/** One transaction: the server need not log a table that is new in it. */
async function makeDay(client: pg.Client, day: number, extent: Extent): Promise<void> {
  const rows = Math.round(extent.rows / extent.days)
  const table = `usage_records_day_${day}`
  const firstSeq = (day - (extent.lastDay - extent.days)) * rows * 2
  await client.query('begin')
  await client.query(`create table ${table} (like usage_records including defaults including constraints)`)
  await client.query(recordsOfDay(table), [rows, day, firstSeq, extent.accounts, extent.keys, extent.models])
  await client.query(`alter table usage_records attach partition ${table} for values from (${day}) to (${day + 1})`)
  await client.query(`analyze ${table}`)
  await client.query(`
    insert into usage_days select day, account_no, key_no, model, ${sums}
    from ${table} group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
  await client.query(`
    insert into usage_days_unusual select day, account_no, key_no, model, outcome, ${sums}
    from ${table} where outcome <> 'done' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
  await client.query('commit')
}

/** Powers of chance make some keys, models and sizes much more frequent than others. */
function recordsOfDay(table: string): string {
  return `
    insert into ${table} (hold_seq, day, hold_id, generation_id, account_no, key_no, model, outcome, held_nano, cost_nano,
      writeoff_nano, balance_before_nano, cost_delivered, created_at_ms, lines, details, status, prompt_tokens,
      completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, swept, overdraft_nano)
    select $3::bigint + i, $2::integer, 'hold_' || time || left(noise, 12), 'chatcmpl-' || time || right(noise, 20),
      1 + (key_no - 1) % $4::integer, key_no, model, outcome, 50000000, prompt * 250 + completion * 1000,
      case outcome when 'upstream_fail' then 1000 else 0 end, 900000000000 - i, 1, at_ms,
      '[["input",' || prompt || ',"' || prompt * 250 || '"],["output",' || completion || ',"' || completion * 1000 || '"]]',
      '["req_' || time || left(noise, 12) || '","price_0f3a62c1","v1","gpu-' || key_no % 4 || '","chatcmpl-' || noise
        || '",' || status || ',true,[' || prompt || ',' || completion || ',' || prompt / 3 || ',0,' || completion / 4
        || '],"engine","stop",[["gpu-' || key_no % 4 || '",' || status || ',' || 200 + i % 700 || ']],112,'
        || 900 + i % 7000 || ']',
      status, prompt, completion, prompt / 3, 0, completion / 4, 0, 0
    from (
      select i, at_ms, lpad(to_hex(at_ms), 12, '0') as time, md5(at_ms || '-' || i) as noise, key_no,
        'vendor/model-' || (key_no * 7 + floor(3 * luck ^ 2)::integer) % $6::integer as model, prompt, completion,
        case when ending < 0.97 then 'done' when ending < 0.985 then 'client_abort' when ending < 0.996
          then 'upstream_fail' when ending < 0.9999 then 'deadline' else 'drained' end as outcome,
        case when ending < 0.985 then 200 when ending < 0.996 then 502 else 504 end as status
      from (
        select i, $2::bigint * ${dayMs} + i::bigint * ${dayMs} / ($1::integer + 1) as at_ms,
          1 + floor($5::integer * random() ^ 3)::integer as key_no, random() as luck, random() as ending,
          (50 + 4000 * random() ^ 3)::bigint as prompt, (20 + 1000 * random() ^ 2)::bigint as completion
        from generate_series(1, $1::integer) i
      ) as chance
    ) as request
    order by i`
}

function withLongConnection<Value>(url: string, run: (client: pg.Client) => Promise<Value>): Promise<Value> {
  return withConnection(url, run, { queryMs: 600_000 })
}
