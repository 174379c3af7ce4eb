import { callSettings } from './call-settings.ts'

/**
 * Decides many requests in the order in which they came, each by what the ones before it left, and places the holds of
 * those that are admitted (money.md §2). One call is one statement and one transaction.
 *
 * An account's row lock covers the account, its keys and its rate buckets: whoever moves a sum of theirs has it. Locks are
 * taken in the order of the accounts' numbers, so that calls cannot wait for each other in a circle. State is read once
 * for the whole call and written once: a row version per request would make busy accounts slow.
 */
export const admit = `
create function rialto_admit(asked json) returns json language plpgsql
${callSettings} as $$
declare
  account_rows accounts[];
  key_rows api_keys[];
  model_rows rate_buckets[]; -- one for each account and model
  key_bucket_rows rate_buckets[]; -- one for each key
  request rialto_admission_request;
  decision rialto_admission_decision;
  placed holds[] := '{}';
  answers json[] := '{}';
begin
  perform 1 from accounts where id = any (array(select json_array_elements_text(asked -> 'accounts')))
    order by no for no key update;
  select array_agg(a order by position) into account_rows
    from json_array_elements_text(asked -> 'accounts') with ordinality as named(id, position)
    left join accounts a on a.id = named.id;
  select array_agg(k order by position) into key_rows
    from json_array_elements_text(asked -> 'keys') with ordinality as named(id, position)
    left join api_keys k on k.id = named.id;
  model_rows := rialto_load_buckets(array(
    select ((account_rows[(named ->> 0)::integer]).no, 0, named ->> 1, null, null, null, null, null, null)::rate_buckets
    from json_array_elements(asked -> 'buckets') as named
  ));
  key_bucket_rows := rialto_load_buckets(array(
    select (0, no, '', null, null, null, null, null, null)::rate_buckets from unnest(key_rows)
  ));

  for request in select * from json_populate_recordset(null::rialto_admission_request, asked -> 'requests') loop
    decision := rialto_decide_admission(account_rows[request.account], key_rows[request.key],
      model_rows[request.bucket], key_bucket_rows[request.key], request);
    answers := array_append(answers, rialto_admission_answer(decision));
    continue when decision.refusal is not null;
    account_rows[request.account] := rialto_account_with_hold(account_rows[request.account], decision);
    key_rows[request.key] := rialto_key_with_hold(key_rows[request.key], decision);
    model_rows[request.bucket] := rialto_bucket_row(
      model_rows[request.bucket], decision.model_requests, decision.model_tokens, decision.model_day);
    key_bucket_rows[request.key] := rialto_bucket_row(
      key_bucket_rows[request.key], decision.key_requests, decision.key_tokens, decision.key_day);
    placed := array_append(placed, rialto_hold(account_rows[request.account], (key_rows[request.key]).no, request, decision));
  end loop;

  if cardinality(placed) > 0 then
    insert into holds (seq, id, account_no, key_no, amount_nano, facts, parts, process_id, deadline_at_ms, day)
      select nextval('hold_numbers'), id, account_no, key_no, amount_nano, facts, parts, process_id, deadline_at_ms, day
      from unnest(placed);
    perform rialto_store_accounts(account_rows);
    perform rialto_store_keys(key_rows);
    perform rialto_store_buckets(model_rows || key_bucket_rows);
  end if;
  return json_build_object(
    'keys', (select json_agg(json_build_array(requests_per_minute, tokens_per_minute) order by ordinality)
      from unnest(key_rows) with ordinality),
    'answers', array_to_json(answers));
end $$;`
