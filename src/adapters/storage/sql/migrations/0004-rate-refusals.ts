import type { Migration } from './migration.ts'

/** The last requests of each account that a rate refused. */
export const rateRefusals: Migration = {
  number: 4,
  name: 'rate-refusals',
  async up(db, traits) {
    const { integer, tableEnd } = traits
    await db.schema
      .createTable('rate_refusals')
      .addColumn('no', integer, column => traits.autoNumber(column.primaryKey()))
      .addColumn('account_no', integer, column => column.notNull())
      .addColumn('key_no', integer, column => column.notNull())
      .addColumn('model', 'text', column => column.notNull())
      .addColumn('rate', 'text', column => column.notNull())
      .addColumn('at_ms', integer, column => column.notNull())
      .modifyEnd(tableEnd)
      .execute()
    await db.schema.createIndex('rate_refusals_account').on('rate_refusals').columns(['account_no', 'no']).execute()
  },
}
