/**
 * When a key's current spending period began (see domain/admission/limit-period.ts), in UTC whatever the session's time
 * zone is.
 */
export const periodStart = `
create function rialto_period_start(period text, now_ms bigint) returns bigint language sql immutable as $$
  select case period
    when 'epoch' then now_ms / 86400000 * 86400000
    when 'month' then
      (extract(epoch from date_trunc('month', timestamp 'epoch' + now_ms / 1000 * interval '1 second')) * 1000)::bigint
    else 0
  end
$$;`
