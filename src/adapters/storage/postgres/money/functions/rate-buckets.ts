/**
 * The rows of rate buckets: of an account and a model (`key_no` 0), or of a key (`account_no` 0, model empty). They are
 * read and written under the lock of the account that they belong to.
 */
export const rateBuckets = `
-- The stored levels of the buckets that are named, in their order; a bucket that nobody used yet has none.
create function rialto_load_buckets(named rate_buckets[]) returns rate_buckets[] language plpgsql as $$
begin
  return array(
    select (n.account_no, n.key_no, n.model, b.requests_level, b.requests_at_ms, b.tokens_level, b.tokens_at_ms,
      b.day, b.day_requests)::rate_buckets
    from unnest(named) with ordinality n
    left join rate_buckets b on b.account_no = n.account_no and b.key_no = n.key_no and b.model = n.model
    order by n.ordinality
  );
end $$;

create function rialto_store_buckets(known rate_buckets[]) returns void language plpgsql as $$
begin
  insert into rate_buckets (account_no, key_no, model, requests_level, requests_at_ms, tokens_level, tokens_at_ms, day, day_requests)
  select k.account_no, k.key_no, k.model, k.requests_level, k.requests_at_ms, k.tokens_level, k.tokens_at_ms,
    k.day, k.day_requests
  from unnest(known) k
  left join rate_buckets b on b.account_no = k.account_no and b.key_no = k.key_no and b.model = k.model
  where (k.requests_level, k.requests_at_ms, k.tokens_level, k.tokens_at_ms, k.day, k.day_requests)
    is distinct from (b.requests_level, b.requests_at_ms, b.tokens_level, b.tokens_at_ms, b.day, b.day_requests)
  on conflict (account_no, key_no, model) do update set
    requests_level = excluded.requests_level, requests_at_ms = excluded.requests_at_ms,
    tokens_level = excluded.tokens_level, tokens_at_ms = excluded.tokens_at_ms,
    day = excluded.day, day_requests = excluded.day_requests;
end $$;

-- Gives back what admission took above what was used (see domain/limits/give-back-unused.ts), in the order given.
create function rialto_return_tokens(returned rialto_returned_tokens[]) returns void language plpgsql as $$
declare
  bucket rate_buckets;
  tokens rialto_bucket;
  entry record;
begin
  for entry in
    select * from unnest(returned) with ordinality order by account_no, key_no, model collate "C", ordinality
  loop
    if (entry.account_no, entry.key_no, entry.model)
      is distinct from (bucket.account_no, bucket.key_no, bucket.model) then
      perform rialto_store_buckets(array[bucket]);
      bucket := (rialto_load_buckets(array[
        (entry.account_no, entry.key_no, entry.model, null, null, null, null, null, null)::rate_buckets]))[1];
    end if;
    tokens := rialto_refill((bucket.tokens_level, bucket.tokens_at_ms)::rialto_bucket, entry.per_minute, entry.at_ms);
    bucket.tokens_level := least(
      tokens.level + greatest(least(entry.taken, entry.per_minute) - entry.used, 0), entry.per_minute);
    bucket.tokens_at_ms := tokens.at_ms;
  end loop;
  perform rialto_store_buckets(array[bucket]);
end $$;`
