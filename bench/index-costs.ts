import type pg from 'pg'
import { withConnection } from '../test/support/postgres/database.ts'

/** What an index costs the settlement of a request. */
export interface IndexCost {
  readonly index: string
  readonly bytesPerRow: number
  readonly walBytesPerRow: number
  /** Processor time of the server. */
  readonly microsecondsPerRow: number
}

const rowsPerStatement = 20
const statements = 3_000
const rounds = 3

/**
 * Writes the same rows into a copy of the table without an index, and with each of its indexes alone, some rows at a time,
 * as settlements do. `url` must be that of a superuser, because the server's processor time is read from its files.
 */
export function measureIndexes(url: string, partition: string): Promise<readonly IndexCost[]> {
  return withConnection(url, client => measureAll(client, partition), { queryMs: 600_000 })
}

async function measureAll(client: pg.Client, partition: string): Promise<readonly IndexCost[]> {
  await client.query(preparation(partition))
  const { rows: indexes } = await client.query<{ name: string; definition: string; bytes: number }>(
    `select regexp_replace(indexdef, '^.* USING btree ', '') as name, pg_relation_size(indexname::regclass)::float as bytes,
       regexp_replace(indexdef, ' INDEX \\S+ ON \\S+', ' INDEX ON target') as definition
     from pg_indexes where tablename = $1 order by 2 desc`,
    [partition],
  )
  const { rows } = await client.query<{ count: number; bytes: number }>(
    `select count(*)::integer, pg_table_size('${partition}')::float as bytes from ${partition}`,
  )
  const { count = 0, bytes = 0 } = rows[0] ?? {}
  const bare = await writeRows(client, null)
  const costs = [{ index: 'the row itself', bytesPerRow: bytes / count, ...bare }]
  for (const { name, definition, bytes: size } of [...indexes, sums]) {
    const { walBytesPerRow, microsecondsPerRow } = await writeRows(client, definition)
    costs.push({
      index: name,
      bytesPerRow: size / count,
      walBytesPerRow: walBytesPerRow - bare.walBytesPerRow,
      microsecondsPerRow: microsecondsPerRow - bare.microsecondsPerRow,
    })
  }
  return costs
}

/** As in postgres/migrations/count-usage.ts. Every row of a statement counts for another owner here, which is the worst. */
const sums = {
  name: 'its part of the sums',
  definition: `create trigger counted after insert on target referencing new table as added
    for each statement execute function rialto_count_usage()`,
  bytes: 0,
}

function preparation(partition: string): string {
  return `
    create temporary table source as
      select *, row_number() over (order by hold_seq) - 1 as no from ${partition}
      order by hold_seq limit ${rowsPerStatement * statements};
    create index on source (no);
    analyze source;
    create function pg_temp.processor_seconds() returns numeric language sql as $$
      select (split_part(stat, ' ', 14)::numeric + split_part(stat, ' ', 15)::numeric) / 100
      from pg_read_file('/proc/self/stat') as stat
    $$;
    create function pg_temp.write_rows(out seconds float, out wal float) language plpgsql as $$
    declare
      started numeric := pg_temp.processor_seconds();
      position pg_lsn := pg_current_wal_insert_lsn();
      columns text := (select string_agg(attname, ', ' order by attnum) from pg_attribute
        where attrelid = 'usage_records'::regclass and attnum > 0 and not attisdropped);
    begin
      for statement in 0 .. ${statements - 1} loop
        execute format('insert into target (%s) select %1$s from source where no between %s and %s', columns,
          statement * ${rowsPerStatement}, statement * ${rowsPerStatement} + ${rowsPerStatement - 1});
      end loop;
      seconds := pg_temp.processor_seconds() - started;
      wal := pg_current_wal_insert_lsn() - position;
    end $$`
}

type Written = Pick<IndexCost, 'walBytesPerRow' | 'microsecondsPerRow'>

/** The round with the least processor time. */
async function writeRows(client: pg.Client, index: string | null): Promise<Written> {
  const measured: Written[] = []
  for (let round = 0; round < rounds; round++) {
    await client.query('drop table if exists target; create table target (like usage_records)')
    if (index !== null) await client.query(index)
    const { rows } = await client.query<{ seconds: number; wal: number }>('select * from pg_temp.write_rows()')
    const { seconds = 0, wal = 0 } = rows[0] ?? {}
    const written = rowsPerStatement * statements
    measured.push({ walBytesPerRow: wal / written, microsecondsPerRow: (seconds * 1_000_000) / written })
  }
  return measured.reduce((best, next) => (next.microsecondsPerRow < best.microsecondsPerRow ? next : best))
}
