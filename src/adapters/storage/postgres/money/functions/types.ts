/**
 * What the functions take and return. Members of what arrives as JSON are called as in the statements that write it;
 * what is null there is without a limit. Amounts that are asked for are `numeric`: they may be larger than what can be
 * held, and are then refused instead of overflowing.
 */
export const types = `
create type rialto_admission_request as (
  account integer, -- this and the next two: positions in the lists that come with the requests, from 1
  key integer,
  bucket integer,
  hold_id text,
  request_id text,
  generation_id text,
  model text,
  surface text,
  stream boolean,
  price_version text,
  process_id text,
  fixed_nano numeric,
  output_nano_per_million numeric,
  choices numeric,
  output_limit numeric,
  may_shrink boolean,
  prompt_tokens double precision,
  free boolean,
  overdraft_nano numeric,
  spends_all boolean, -- false where dollars pay alone
  requests_per_minute double precision,
  tokens_per_minute double precision,
  requests_per_day double precision,
  concurrency double precision,
  now_ms bigint,
  deadline_ms bigint
);

create type rialto_bucket as (level double precision, at_ms bigint);

create type rialto_day_count as (day bigint, requests bigint);

create type rialto_tested_bucket as (untouched rialto_bucket, after rialto_bucket, wait_ms double precision);

-- What is not dollars of a hold or a charge; null for dollars alone.
create type rialto_parts as (
  day bigint, -- whose allowance the DIEM are of
  diem_nano numeric,
  earned_nano numeric,
  bundled_nano numeric
);

create type rialto_money_decision as (
  hold_nano numeric,
  output_limit numeric,
  refusal text, -- null when the money is enough
  available_nano numeric,
  parts rialto_parts
);

create type rialto_admission_decision as (
  refusal text, -- null when admitted
  hold_nano numeric,
  output_limit numeric,
  available_nano numeric,
  reached_limit double precision,
  retry_after_ms double precision,
  tokens_taken double precision,
  period_start_ms bigint,
  spent_nano numeric,
  spent_diem_nano numeric,
  parts rialto_parts,
  balance_nano bigint, -- this and the next: before the request
  others rialto_parts,
  model_requests rialto_bucket, -- the buckets: after the request when admitted, untouched when refused
  model_tokens rialto_bucket,
  key_requests rialto_bucket,
  key_tokens rialto_bucket,
  model_day rialto_day_count, -- with the request in it; null when refused
  key_day rialto_day_count
);

create type rialto_settlement as (
  hold_id text,
  charge_nano numeric,
  lines text,
  writeoff_nano numeric,
  tokens_used double precision,
  at_ms bigint,
  swept boolean,
  free_allowance double precision, -- null unless the outcome is free by policy
  free_charge_nano numeric,
  free_lines text,
  generation_id text,
  model text,
  outcome text,
  cost_delivered bigint,
  created_at_ms bigint,
  details text,
  status bigint, -- this and the counts: what the text says too
  prompt_tokens bigint,
  completion_tokens bigint,
  cached_tokens bigint,
  cache_write_tokens bigint,
  reasoning_tokens bigint
);

create type rialto_charge_decision as (
  charged_nano numeric,
  lines text,
  writeoff_nano numeric,
  used_free_failure boolean
);

create type rialto_returned_tokens as (
  account_no bigint,
  key_no bigint,
  model text,
  per_minute double precision,
  taken double precision,
  used double precision,
  at_ms bigint
);

create type rialto_mark as (
  hold_id text,
  charge_nano bigint,
  prompt_tokens bigint,
  completion_tokens bigint,
  searches bigint,
  pages bigint
);

create type rialto_posted_transfer as (
  id text,
  code text,
  debit text,
  credit text,
  asset text,
  amount_nano bigint,
  customer_id text, -- null when neither side is a customer
  hold_id text,
  line text,
  note text,
  idempotency_key text,
  created_at_ms bigint,
  free_text text -- the end of what its hash covers (see transfer-hash.ts)
);`
