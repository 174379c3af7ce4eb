import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * What accounts have besides dollars (money.md §4). Rows of accounts, holds and requests in dollars alone stay as they
 * are: amounts begin at nothing, and what is not said is dollars. Earned and bundled credit may fall below zero, when
 * a credit is taken back that was spent.
 */
export const currencies: Migration = {
  number: 6,
  name: 'currencies',
  async up(db, { integer }) {
    const addAmount = (table: string, name: string, check: string) =>
      sql
        .raw(`alter table ${table} add column ${name} ${integer} not null default 0 ${check && `check (${name} >= 0)`}`)
        .execute(db)
    for (const name of ['diem_day', 'diem_spent_nano', 'diem_held_nano', 'earned_held_nano', 'bundled_held_nano'])
      await addAmount('accounts', name, 'positive')
    for (const name of ['earned_nano', 'bundled_nano']) await addAmount('accounts', name, '')
    for (const name of ['spent_diem_nano', 'held_diem_nano']) await addAmount('api_keys', name, 'positive')
    await sql`alter table holds add column parts text`.execute(db)
    await sql`alter table usage_records add column held_parts text`.execute(db)
    await sql`alter table usage_records add column paid_parts text`.execute(db)
    for (const table of ['usage_records', 'usage_days', 'usage_days_unusual']) await addAmount(table, 'diem_nano', '')
  },
}
