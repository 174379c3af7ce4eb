import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

/**
 * Texts that are looked up by an index are compared byte by byte, as SQLite does, and not by the rules of a language: those
 * change with the system's libraries, after which an index may hold the same unique value twice. It is faster, too.
 */
export const compareBytes: Pick<Migration, 'name' | 'up'> = {
  name: 'compare-bytes',
  async up(db: Kysely<unknown>) {
    await sql`
      do $$
      declare
        indexed record;
      begin
        for indexed in
          select distinct attrelid::regclass as owner, attname as name
          from pg_index
          join pg_attribute on attrelid = indrelid and attnum = any (indkey)
          join pg_class on pg_class.oid = attrelid
          where relnamespace = current_schema()::regnamespace
            and atttypid = 'text'::regtype and attinhcount = 0 and attcollation <> '"C"'::regcollation
        loop
          execute format('alter table %s alter column %I type text collate "C"', indexed.owner, indexed.name);
        end loop;
      end $$`.execute(db)
  },
}
