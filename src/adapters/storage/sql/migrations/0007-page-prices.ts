import type { Migration } from './migration.ts'

/** What a page costs that was read; nothing was sold so before. */
export const pagePrices: Migration = {
  number: 7,
  name: 'page-prices',
  async up(db, { integer }) {
    await db.schema
      .alterTable('price_lists')
      .addColumn('page_nano', integer, column => column.notNull().defaultTo(0))
      .execute()
  },
}
