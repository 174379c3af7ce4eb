/** What an admission changes of each row, and what is answered; `admit.ts` puts the parts together. */
export const admissionParts = `
create function rialto_key_with_hold(key api_keys, decision rialto_admission_decision)
returns api_keys language plpgsql immutable as $$
begin
  key.period_start_ms := decision.period_start_ms;
  key.spent_nano := decision.spent_nano;
  key.spent_diem_nano := decision.spent_diem_nano;
  key.held_nano := key.held_nano + decision.hold_nano - coalesce((decision.parts).diem_nano, 0);
  key.held_diem_nano := key.held_diem_nano + coalesce((decision.parts).diem_nano, 0);
  key.open_holds := key.open_holds + 1;
  return key;
end $$;

create function rialto_account_with_hold(account accounts, decision rialto_admission_decision)
returns accounts language plpgsql immutable as $$
begin
  account.held_nano := account.held_nano + decision.hold_nano - rialto_sum_of_parts(decision.parts);
  account.open_holds := account.open_holds + 1;
  if (decision.parts).day is not null then account := rialto_hold_parts(account, decision.parts, 1); end if;
  return account;
end $$;

create function rialto_bucket_row(
  bucket rate_buckets, requests rialto_bucket, tokens rialto_bucket, counted rialto_day_count
) returns rate_buckets language plpgsql immutable as $$
begin
  bucket.requests_level := requests.level;
  bucket.requests_at_ms := requests.at_ms;
  bucket.tokens_level := tokens.level;
  bucket.tokens_at_ms := tokens.at_ms;
  bucket.day := counted.day;
  bucket.day_requests := counted.requests;
  return bucket;
end $$;

-- The hold's row but for its number; facts as hold-facts.ts reads them.
create function rialto_hold(
  account accounts, key_no bigint, request rialto_admission_request, decision rialto_admission_decision
) returns holds language plpgsql stable as $$
declare
  hold holds;
begin
  hold.id := request.hold_id;
  hold.account_no := account.no;
  hold.key_no := key_no;
  hold.amount_nano := decision.hold_nano;
  hold.parts := rialto_write_parts(decision.parts);
  hold.facts := json_build_array(
    request.request_id, request.generation_id, request.model, request.surface, request.stream, request.price_version,
    request.process_id, case account.mode when 'soft' then request.overdraft_nano::text else '0' end,
    decision.tokens_taken, coalesce(to_json(request.tokens_per_minute), '"unlimited"'), request.now_ms,
    request.deadline_ms);
  hold.process_id := request.process_id;
  hold.deadline_at_ms := request.deadline_ms;
  hold.day := request.now_ms / 86400000;
  return hold;
end $$;

-- Amounts are text, because numbers in JSON end at 2^53. The order of members is that of admit-answer.ts.
create function rialto_admission_answer(decision rialto_admission_decision) returns json language sql stable as $$
  select json_build_array(
    decision.refusal, decision.hold_nano::text,
    (decision.model_requests).level, (decision.model_requests).at_ms,
    (decision.model_tokens).level, (decision.model_tokens).at_ms,
    (decision.key_requests).level, (decision.key_requests).at_ms,
    (decision.key_tokens).level, (decision.key_tokens).at_ms,
    decision.output_limit, decision.tokens_taken, decision.period_start_ms, decision.spent_nano::text,
    decision.available_nano::text, decision.reached_limit, decision.retry_after_ms, decision.spent_diem_nano::text, rialto_write_parts(decision.parts),
    decision.balance_nano::text, rialto_write_parts(decision.others),
    (decision.model_day).day, (decision.model_day).requests, (decision.key_day).day, (decision.key_day).requests)
$$;`
