import type { Sql, Tables } from '../sql/tables.ts'

/** How much there is in a store. */
export interface BookCounts {
  readonly accounts: number
  readonly apiKeys: number
  readonly transfers: number
  readonly usageRecords: number
  readonly holdsOpen: number
  readonly idempotencyKeys: number
}

export async function countBooks(sql: Sql): Promise<BookCounts> {
  return {
    accounts: await countRows(sql, 'accounts'),
    apiKeys: await countRows(sql, 'api_keys'),
    transfers: await countRows(sql, 'transfers'),
    usageRecords: await countRows(sql, 'usage_records'),
    holdsOpen: await countRows(sql, 'holds'),
    idempotencyKeys: await countRows(sql, 'idempotency_keys'),
  }
}

export async function countRows(sql: Sql, table: keyof Tables): Promise<number> {
  const { rows } = await sql
    .selectFrom(table)
    .select(select => select.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}
