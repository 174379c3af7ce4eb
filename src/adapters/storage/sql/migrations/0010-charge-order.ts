import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Transfers of a customer are looked for in one currency at a time: an account may have millions in one of them and a few
 * in another. It takes the place of the index without the currency, so that a transfer costs what it did.
 */
export const chargeOrder: Migration = {
  number: 10,
  name: 'charge-order',
  async up(db) {
    await sql`create index transfers_order on transfers (customer_no, asset, created_at_ms)`.execute(db)
    await sql`drop index transfers_customer`.execute(db)
  },
}
