/**
 * The arithmetic of src/lib/token-bucket.ts in the same order of operations on the same double-precision numbers, so
 * that a bucket's level is the same bit for bit. A rate of null is without a limit and has no bucket.
 */
export const tokenBucket = `
create function rialto_refill(bucket rialto_bucket, per_minute double precision, now_ms bigint)
returns rialto_bucket language plpgsql immutable as $$
declare
  elapsed_ms bigint;
begin
  if bucket.level is null then return (per_minute, now_ms)::rialto_bucket; end if;
  elapsed_ms := now_ms - bucket.at_ms;
  if elapsed_ms < -60000 then return (least(bucket.level, per_minute), now_ms)::rialto_bucket; end if;
  return (
    least(bucket.level + (greatest(elapsed_ms, 0) * per_minute) / 60000, per_minute),
    greatest(bucket.at_ms, now_ms)
  )::rialto_bucket;
end $$;

create function rialto_test_bucket(
  bucket rialto_bucket, per_minute double precision, asked double precision, now_ms bigint
) returns rialto_tested_bucket language plpgsql immutable as $$
declare
  untouched rialto_bucket;
  amount double precision;
begin
  if per_minute is null then return (null, null, 0)::rialto_tested_bucket; end if;
  -- More than the capacity counts as the capacity; at least one is asked for, so that a rate of 0 passes nothing.
  amount := greatest(least(asked, per_minute), 1);
  untouched := rialto_refill(bucket, per_minute, now_ms);
  if untouched.level + 1e-6 >= amount then
    return (untouched, (greatest(untouched.level - amount, 0), untouched.at_ms)::rialto_bucket, 0)::rialto_tested_bucket;
  end if;
  return (
    untouched,
    untouched,
    case when amount > per_minute then 'Infinity' else ceil(((amount - untouched.level) * 60000) / per_minute) end
  )::rialto_tested_bucket;
end $$;

-- What domain/admission/decide-day.ts says, but for the request itself; null without a limit.
create function rialto_count_of_day(stored rialto_day_count, per_day double precision, now_ms bigint)
returns rialto_day_count language plpgsql immutable as $$
declare
  today bigint := now_ms / 86400000;
begin
  if per_day is null then return null; end if;
  if stored.day in (today, today + 1) then return stored; end if;
  return (today, 0)::rialto_day_count;
end $$;

create function rialto_day_with_one_more(counted rialto_day_count)
returns rialto_day_count language plpgsql immutable as $$
begin
  if counted.day is null then return null; end if;
  return (counted.day, counted.requests + 1)::rialto_day_count;
end $$;`
