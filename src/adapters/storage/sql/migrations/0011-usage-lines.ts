import type { Migration } from './migration.ts'

/**
 * What was sold of each kind per day, account and model, kept in the transaction that writes a record. Records from before
 * are not counted: a report that does not add up is not shown.
 */
export const usageLines: Migration = {
  number: 11,
  name: 'usage-lines',
  async up(db, { integer, tableEnd }) {
    await db.schema
      .createTable('usage_day_lines')
      .addColumn('day', integer, column => column.notNull())
      .addColumn('account_no', integer, column => column.notNull())
      .addColumn('model', 'text', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('units', integer, column => column.notNull())
      .addColumn('cost_nano', integer, column => column.notNull())
      .addColumn('diem_nano', integer, column => column.notNull())
      .addPrimaryKeyConstraint('usage_day_lines_key', ['account_no', 'day', 'model', 'kind'])
      .modifyEnd(tableEnd)
      .execute()
  },
}
