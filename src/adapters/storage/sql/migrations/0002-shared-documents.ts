import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What all gateways on a store follow, and the number of the last change of any of it. */
export const sharedDocuments: Migration = {
  number: 2,
  name: 'shared-documents',
  async up(db, { integer, bytes, tableEnd }) {
    await db.schema
      .createTable('shared_head')
      .addColumn('id', integer, column => column.primaryKey().check(sql`id = 1`))
      .addColumn('version', integer, column => column.notNull())
      .modifyEnd(tableEnd)
      .execute()
    await sql`insert into shared_head (id, version) values (1, 0)`.execute(db)
    await db.schema
      .createTable('shared_documents')
      .addColumn('name', 'text', column => column.primaryKey().notNull())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('content', bytes, column => column.notNull().check(sql`length(content) <= 4194304`))
      .modifyEnd(tableEnd)
      .execute()
  },
}
