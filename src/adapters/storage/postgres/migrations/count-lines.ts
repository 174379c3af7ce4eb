import { sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

/** Adds the lines of bills to the sums of their kinds, or takes them off; DIEM are shared as src/core/share-diem.ts says. */
function addLines(sign: '' | '-', rows: 'added' | 'removed'): string {
  return `
    insert into usage_day_lines as kept (day, account_no, model, kind, units, cost_nano, diem_nano)
    select day, account_no, model, kind, ${sign}sum(units), ${sign}sum(nano),
      ${sign}sum(case diem_nano when 0 then 0 else greatest(least(nano, diem_nano - before_nano), 0) end)
    from (
      select r.day, r.account_no, r.model, r.diem_nano, line ->> 0 as kind, (line ->> 1)::bigint as units,
        (line ->> 2)::bigint as nano,
        case r.diem_nano when 0 then 0 else
          sum((line ->> 2)::bigint) over (partition by r.hold_seq order by place) - (line ->> 2)::bigint end as before_nano
      from ${rows} r cross join lateral json_array_elements(r.lines::json) with ordinality as bill(line, place)
    ) as sold
    group by 1, 2, 3, 4
    order by 2, 1, 3, 4
    on conflict (account_no, day, model, kind) do update set units = kept.units + excluded.units,
      cost_nano = kept.cost_nano + excluded.cost_nano, diem_nano = kept.diem_nano + excluded.diem_nano;`
}

/** In the statement that writes records, like their other sums (see count-usage.ts), and under the same locks. */
export const countLines: Pick<Migration, 'name' | 'up'> = {
  name: 'count-lines',
  async up(db) {
    for (const column of ['model', 'kind'])
      await sql.raw(`alter table usage_day_lines alter column ${column} type text collate "C"`).execute(db)
    await sql`alter table usage_day_lines set (fillfactor = 75)`.execute(db)
    await sql
      .raw(`
        create function rialto_count_lines() returns trigger language plpgsql as $$
        begin
          if tg_op = 'UPDATE' then ${addLines('-', 'removed')} end if;
          ${addLines('', 'added')}
          return null;
        end $$`)
      .execute(db)
    await sql`
      create trigger usage_lines_inserted after insert on usage_records referencing new table as added
      for each statement execute function rialto_count_lines()`.execute(db)
    await sql`
      create trigger usage_lines_corrected after update on usage_records
      referencing old table as removed new table as added
      for each statement execute function rialto_count_lines()`.execute(db)
  },
}
