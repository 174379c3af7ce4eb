/** The rows that resolving a hold writes; `settle.ts` puts the parts together. */
export const settlementParts = `
-- What a settlement says of a request, and what was decided of it.
create function rialto_settled(
  record usage_records, settlement rialto_settlement, decision rialto_charge_decision, paid rialto_parts
) returns usage_records language plpgsql immutable as $$
begin
  record.outcome := settlement.outcome;
  record.cost_nano := decision.charged_nano;
  record.paid_parts := rialto_write_parts(paid);
  record.diem_nano := coalesce(paid.diem_nano, 0);
  record.writeoff_nano := decision.writeoff_nano;
  record.cost_delivered := settlement.cost_delivered;
  record.lines := decision.lines;
  record.details := settlement.details;
  record.status := settlement.status;
  record.prompt_tokens := settlement.prompt_tokens;
  record.completion_tokens := settlement.completion_tokens;
  record.cached_tokens := settlement.cached_tokens;
  record.cache_write_tokens := settlement.cache_write_tokens;
  record.reasoning_tokens := settlement.reasoning_tokens;
  return record;
end $$;

create function rialto_usage_record(
  hold holds, settlement rialto_settlement, decision rialto_charge_decision, paid rialto_parts, balance_nano bigint
) returns usage_records language plpgsql immutable as $$
declare
  record usage_records;
begin
  record.hold_seq := hold.seq;
  record.day := hold.day;
  record.hold_id := hold.id;
  record.generation_id := settlement.generation_id;
  record.account_no := hold.account_no;
  record.key_no := hold.key_no;
  record.model := settlement.model;
  record.held_nano := hold.amount_nano;
  record.held_parts := hold.parts;
  record.balance_before_nano := balance_nano;
  record.created_at_ms := settlement.created_at_ms;
  record.swept := settlement.swept::integer;
  record.overdraft_nano := case when settlement.swept then (hold.facts::json ->> 7)::bigint else 0 end;
  return rialto_settled(record, settlement, decision, paid);
end $$;

-- One statement for all of a call: its trigger counts them in usage_days.
create function rialto_insert_records(records usage_records[]) returns void language plpgsql as $$
begin
  insert into usage_records (hold_seq, day, hold_id, generation_id, account_no, key_no, model, outcome, held_nano, cost_nano,
    writeoff_nano, balance_before_nano, cost_delivered, created_at_ms, lines, details, status, prompt_tokens,
    completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, swept, overdraft_nano, held_parts, paid_parts,
    diem_nano)
  select hold_seq, day, hold_id, generation_id, account_no, key_no, model, outcome, held_nano, cost_nano, writeoff_nano,
    balance_before_nano, cost_delivered, created_at_ms, lines, details, status, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, swept, overdraft_nano, held_parts, paid_parts, diem_nano
  from unnest(records);
end $$;

-- What goes back to the buckets of the account's model and of the key, where those have a limit.
create function rialto_unused_tokens(hold holds, key api_keys, settlement rialto_settlement)
returns rialto_returned_tokens[] language plpgsql immutable as $$
declare
  facts json := hold.facts; -- see hold-facts.ts
  model_limit double precision := nullif(facts ->> 9, 'unlimited');
  taken double precision := facts ->> 8;
  returned rialto_returned_tokens[] := '{}';
begin
  if model_limit is not null then
    returned := array_append(returned, (hold.account_no, 0, facts ->> 2, model_limit, taken, settlement.tokens_used,
      settlement.at_ms)::rialto_returned_tokens);
  end if;
  if key.tokens_per_minute is not null then
    returned := array_append(returned, (0, key.no, '', key.tokens_per_minute, taken, settlement.tokens_used,
      settlement.at_ms)::rialto_returned_tokens);
  end if;
  return returned;
end $$;

create function rialto_mark(marks json) returns void language plpgsql as $$
begin
  update holds h set
    mark_charge_nano = m.charge_nano, mark_prompt_tokens = m.prompt_tokens, mark_completion_tokens = m.completion_tokens,
    mark_searches = m.searches, mark_pages = m.pages
  from (
    select open.seq, asked.* from json_populate_recordset(null::rialto_mark, marks) asked
    join holds open on open.id = asked.hold_id
    for no key update of open skip locked
  ) m
  where h.seq = m.seq;
end $$;`
