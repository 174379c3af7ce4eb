import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

/** Whoever writes a shared document, this gateway, another one or a person, tells all of them with the commit. */
export const notifyDocuments: Pick<Migration, 'name' | 'up'> = {
  name: 'notify-documents',
  async up(db) {
    await sql`
      create function notify_shared_documents() returns trigger language plpgsql as $$
      begin
        perform pg_notify('rialto_documents', new.version::text);
        return null;
      end $$`.execute(db)
    await sql`
      create trigger shared_documents_notify after insert or update on shared_documents
      for each row execute function notify_shared_documents()`.execute(db)
  },
}
