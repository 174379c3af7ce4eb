import type { Migration } from './migration.ts'

/** What callers failed with in the windows of their error budgets. */
export const failureCounts: Migration = {
  number: 5,
  name: 'failure-counts',
  async up(db, { integer, tableEnd }) {
    await db.schema
      .createTable('failure_counts')
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('model', 'text', column => column.notNull())
      .addColumn('user_name', 'text', column => column.notNull())
      .addColumn('failed', integer, column => column.notNull())
      .addColumn('unsupported', integer, column => column.notNull())
      .addColumn('ends_at_ms', integer, column => column.notNull())
      .addPrimaryKeyConstraint('failure_counts_bucket', ['owner', 'model', 'user_name'])
      .modifyEnd(tableEnd)
      .execute()
    await db.schema.createIndex('failure_counts_end').on('failure_counts').column('ends_at_ms').execute()
  },
}
