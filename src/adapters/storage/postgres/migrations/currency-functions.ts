import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'
import { moneyFunctions } from '../money/functions/index.ts'
import { countingFunction, counts } from './count-usage.ts'
import { correctedColumns, correctingFunction } from './find-records.ts'

/** Functions and types that know no currency, or call those that do by their names: they stay. */
const kept = [
  'rialto_find_record',
  'rialto_correct_record',
  'rialto_count_usage',
  'rialto_count_lines',
  'rialto_admit_within_budgets',
  'rialto_asked_budget',
]

/** The functions of money (see money/functions) in the place of those that knew dollars alone, and DIEM among the sums. */
export const currencyFunctions: Pick<Migration, 'name' | 'up'> = {
  name: 'currency-functions',
  async up(db, traits) {
    await replaceMoneyFunctions.up(db, traits)
    await sql.raw(countingFunction([...counts, 'diem_nano'])).execute(db)
    await sql.raw(correctingFunction([...correctedColumns, 'paid_parts', 'diem_nano'])).execute(db)
  },
}

/** All functions of money as they are now, in the place of those that an older version left. */
export const replaceMoneyFunctions: Pick<Migration, 'up'> = {
  async up(db) {
    const names = kept.map(name => `'${name}'`).join(', ')
    await sql
      .raw(`
        do $$
        declare
          old record;
        begin
          for old in
            select oid::regprocedure as name from pg_proc
            where pronamespace = current_schema()::regnamespace and proname like 'rialto\\_%'
              and proname not in (${names})
          loop
            execute format('drop function %s', old.name);
          end loop;
          for old in
            select typname as name from pg_type
            where typnamespace = current_schema()::regnamespace and typname like 'rialto\\_%' and typtype = 'c'
              and typname not in (${names})
          loop
            execute format('drop type %I cascade', old.name);
          end loop;
        end $$`)
      .execute(db)
    for (const text of moneyFunctions) await sql.raw(text).execute(db)
  },
}
