import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

/** What a late settlement says anew. */
export const correctedColumns: readonly string[] = [
  'swept',
  'outcome',
  'cost_nano',
  'writeoff_nano',
  'balance_after_nano',
  'cost_delivered',
  'lines',
  'details',
  'status',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
]

/** Writes a correction, or takes the place of the function that wrote fewer columns. */
export function correctingFunction(columns: readonly string[]): string {
  return `
    create or replace function rialto_correct_record(record usage_records) returns void language plpgsql
    set plan_cache_mode = force_custom_plan as $$
    begin
      update usage_records r set ${columns.map(name => `${name} = record.${name}`).join(', ')}
      where r.hold_seq = record.hold_seq and r.day = record.day;
    end $$`
}

/**
 * The record of a hold, by the day in its id (see core/ids.ts) and those beside it, else in the default partition; and its
 * correction. A statement about all days would lock every partition with each of its indexes, which for a year of them is
 * half of what a server has locks for; so these are planned with their values, for the partitions that can have the record.
 */
export const findRecords: Pick<Migration, 'name' | 'up'> = {
  name: 'find-records',
  async up(db) {
    await sql`
      create function rialto_find_record(wanted text) returns usage_records language plpgsql
      set plan_cache_mode = force_custom_plan as $$
      declare
        made integer := ('x' || substring(wanted from '[_-]([0-9a-f]{12})[0-9a-f]*$'))::bit(48)::bigint / 86400000;
        record usage_records;
      begin
        select * into record from usage_records r where r.hold_id = wanted and r.day between made - 1 and made + 1;
        if record.hold_id is null then
          select * into record from usage_records_other r where r.hold_id = wanted;
        end if;
        return record;
      end $$`.execute(db)
    await sql.raw(correctingFunction(correctedColumns)).execute(db)
  },
}
