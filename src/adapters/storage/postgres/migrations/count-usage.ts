import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

/** What is counted besides requests. */
export const counts: readonly string[] = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_nano',
  'writeoff_nano',
]
const all = { table: 'usage_days', owners: ['day', 'account_no', 'key_no', 'model'], where: '' }
const unusual = { table: 'usage_days_unusual', owners: [...all.owners, 'outcome'], where: "where outcome <> 'done'" }

/** Adds rows to sums, or takes them off; in one order, so that no two statements wait for each other in a circle. */
function addTo({ table, owners, where }: typeof all, { sign, rows, counted }: Addition): string {
  const places = owners.map((_, index) => index + 1).join(', ')
  return `
    insert into ${table} as kept (${owners.join(', ')}, requests, ${counted.join(', ')})
    select ${owners.map(name => (name === 'key_no' ? 'coalesce(key_no, 0)' : name)).join(', ')}, ${sign}count(*),
      ${counted.map(name => `${sign}sum(${name})`).join(', ')}
    from ${rows} ${where}
    group by ${places}
    order by ${places}
    on conflict (${owners.join(', ')}) do update set
      ${['requests', ...counted].map(name => `${name} = kept.${name} + excluded.${name}`).join(', ')};`
}

interface Addition {
  readonly sign: '' | '-'
  readonly rows: string
  readonly counted: readonly string[]
}

/** The trigger's function, or that which takes its place when there is more to count. */
export function countingFunction(counted: readonly string[]): string {
  const removed = { sign: '-', rows: 'removed', counted } as const
  const added = { sign: '', rows: 'added', counted } as const
  return `
    create or replace function rialto_count_usage() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then ${addTo(all, removed)} ${addTo(unusual, removed)} end if;
      ${addTo(all, added)} ${addTo(unusual, added)}
      return null;
    end $$`
}

/**
 * Whatever writes or corrects usage records changes their sums by the same statement. A statement is a whole call of
 * `rialto_settle`, whose lock on the accounts covers the rows of their sums. Removing records leaves the sums: that is
 * pruning, and the money stays spent. Free space in each page lets a busy row change without touching an index.
 */
export const countUsage: Pick<Migration, 'name' | 'up'> = {
  name: 'count-usage',
  async up(db) {
    for (const { table } of [all, unusual]) await sql.raw(`alter table ${table} set (fillfactor = 75)`).execute(db)
    await sql.raw(countingFunction(counts)).execute(db)
    await sql`
      create trigger usage_records_inserted after insert on usage_records referencing new table as added
      for each statement execute function rialto_count_usage()`.execute(db)
    await sql`
      create trigger usage_records_corrected after update on usage_records
      referencing old table as removed new table as added
      for each statement execute function rialto_count_usage()`.execute(db)
  },
}
