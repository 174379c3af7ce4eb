/** What domain/admission/decide-admission.ts decides; the property test in test/conformance compares every member. */
export const decideAdmission = `
create function rialto_decide_admission(
  account accounts, key api_keys, model_bucket rate_buckets, key_bucket rate_buckets, request rialto_admission_request
) returns rialto_admission_decision language plpgsql immutable as $$
declare
  decision rialto_admission_decision;
  money rialto_money_decision;
  model_requests rialto_tested_bucket;
  model_tokens rialto_tested_bucket;
  key_requests rialto_tested_bucket;
  key_tokens rialto_tested_bucket;
  counted rialto_day_count;
  counted_of_key rialto_day_count;
  tokens double precision;
  now_ms bigint := request.now_ms;
  wait_ms double precision;
begin
  -- A key that is not there, or is another account's, is answered as a revoked one.
  if key.account_no is distinct from account.no or account.no is null or key.revoked_at_ms is not null
    or coalesce(now_ms >= key.expires_at_ms, false) then
    decision.refusal := 'invalid_api_key';
    return decision;
  end if;

  decision.period_start_ms := rialto_period_start(key.period, now_ms);
  decision.spent_nano := 0;
  decision.spent_diem_nano := 0;
  if decision.period_start_ms <= key.period_start_ms then
    decision.period_start_ms := key.period_start_ms;
    decision.spent_nano := key.spent_nano;
    decision.spent_diem_nano := key.spent_diem_nano;
  end if;
  money := rialto_decide_money(account, key, decision.spent_nano, decision.spent_diem_nano, request);
  decision.balance_nano := account.balance_nano;
  decision.others := rialto_other_balances(account, now_ms);
  tokens := request.prompt_tokens + (request.choices * money.output_limit)::double precision;

  model_requests := rialto_test_bucket(
    (model_bucket.requests_level, model_bucket.requests_at_ms)::rialto_bucket, request.requests_per_minute, 1, now_ms);
  model_tokens := rialto_test_bucket(
    (model_bucket.tokens_level, model_bucket.tokens_at_ms)::rialto_bucket, request.tokens_per_minute, tokens, now_ms);
  key_requests := rialto_test_bucket(
    (key_bucket.requests_level, key_bucket.requests_at_ms)::rialto_bucket, key.requests_per_minute, 1, now_ms);
  key_tokens := rialto_test_bucket(
    (key_bucket.tokens_level, key_bucket.tokens_at_ms)::rialto_bucket, key.tokens_per_minute, tokens, now_ms);

  counted := rialto_count_of_day(
    (model_bucket.day, model_bucket.day_requests)::rialto_day_count, request.requests_per_day, now_ms);
  counted_of_key := rialto_count_of_day(
    (key_bucket.day, key_bucket.day_requests)::rialto_day_count, key.requests_per_day, now_ms);

  case
    when counted.requests >= request.requests_per_day then
      decision.refusal := 'rate_limit_daily';
      decision.reached_limit := request.requests_per_day;
      wait_ms := 86400000 - now_ms % 86400000;
    when counted_of_key.requests >= key.requests_per_day then
      decision.refusal := 'rate_limit_daily';
      decision.reached_limit := key.requests_per_day;
      wait_ms := 86400000 - now_ms % 86400000;
    when model_requests.wait_ms > 0 then
      decision.refusal := 'rate_limit_requests';
      decision.reached_limit := request.requests_per_minute;
      wait_ms := model_requests.wait_ms;
    when model_tokens.wait_ms > 0 then
      decision.refusal := 'rate_limit_tokens';
      decision.reached_limit := request.tokens_per_minute;
      wait_ms := model_tokens.wait_ms;
    when key_requests.wait_ms > 0 then
      decision.refusal := 'rate_limit_requests';
      decision.reached_limit := key.requests_per_minute;
      wait_ms := key_requests.wait_ms;
    when key_tokens.wait_ms > 0 then
      decision.refusal := 'rate_limit_tokens';
      decision.reached_limit := key.tokens_per_minute;
      wait_ms := key_tokens.wait_ms;
    when account.open_holds >= request.concurrency then
      decision.refusal := 'concurrency_account';
      decision.reached_limit := request.concurrency;
      wait_ms := 1000;
    when key.open_holds >= key.concurrency then
      decision.refusal := 'concurrency_key';
      decision.reached_limit := key.concurrency;
      wait_ms := 1000;
    else
      decision.refusal := money.refusal;
      decision.hold_nano := money.hold_nano;
      decision.available_nano := money.available_nano;
      decision.parts := money.parts;
  end case;
  if wait_ms is not null then decision.retry_after_ms := least(greatest(wait_ms, 1000), 60000); end if;

  if decision.refusal is null then
    decision.output_limit := money.output_limit;
    decision.tokens_taken := tokens;
    decision.model_requests := model_requests.after;
    decision.model_tokens := model_tokens.after;
    decision.key_requests := key_requests.after;
    decision.key_tokens := key_tokens.after;
    decision.model_day := rialto_day_with_one_more(counted);
    decision.key_day := rialto_day_with_one_more(counted_of_key);
  else
    decision.model_requests := model_requests.untouched;
    decision.model_tokens := model_tokens.untouched;
    decision.key_requests := key_requests.untouched;
    decision.key_tokens := key_tokens.untouched;
  end if;
  return decision;
end $$;`
