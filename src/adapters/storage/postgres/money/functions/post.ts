import { callSettings } from './call-settings.ts'

/**
 * Posts what is not a settlement: grants, top-ups, refunds, clawbacks. The head of the chain is locked before the
 * idempotency key is looked up, so that of two calls with the same key the second finds the first one's transfer.
 */
export const post = `
-- What a request was charged in one currency, which is the most that its refunds add up to.
create function rialto_paid_in(record usage_records, asset text) returns numeric language plpgsql immutable as $$
declare
  paid rialto_parts := rialto_read_parts(record.paid_parts);
begin
  return case asset
    when 'usd' then record.cost_nano - rialto_sum_of_parts(paid)
    when 'earned' then coalesce(paid.earned_nano, 0)
    when 'bundled' then coalesce(paid.bundled_nano, 0)
    else 0
  end;
end $$;

-- Below zero the account is credited.
create function rialto_charge_asset(account accounts, asset text, amount_nano bigint)
returns accounts language plpgsql immutable as $$
begin
  case asset
    when 'usd' then account := rialto_charge_account(account, amount_nano);
    when 'earned' then account.earned_nano := account.earned_nano - amount_nano;
    when 'bundled' then account.bundled_nano := account.bundled_nano - amount_nano;
  end case;
  return account;
end $$;

create function rialto_post(asked json) returns json language plpgsql
${callSettings} as $$
declare
  wanted rialto_posted_transfer := json_populate_record(null::rialto_posted_transfer, asked);
  account accounts;
  first transfers;
  refunded usage_records;
  posted transfers;
begin
  if wanted.customer_id is not null then
    select * into account from accounts where id = wanted.customer_id for no key update;
    if account.no is null then return json_build_object('refused', 'no such account'); end if;
  end if;
  perform 1 from ledger_head where id = 1 for update;
  select * into first from transfers where idempotency_key = wanted.idempotency_key;
  if first.seq is not null then
    return json_build_object('first', json_build_object('seq', first.seq, 'id', first.id, 'code', first.code, 'debit',
      first.debit, 'credit', first.credit, 'asset', first.asset, 'note', first.note, 'amountNano', first.amount_nano::text));
  end if;

  if wanted.hold_id is not null then
    refunded := rialto_find_record(wanted.hold_id);
    if refunded.hold_id is null then
      return json_build_object('refused', 'a refund must name a hold that was settled');
    end if;
    if wanted.amount_nano + (
      select coalesce(sum(amount_nano), 0) from transfers
      where hold_seq = refunded.hold_seq and line is not null and code = 'refund' and asset = wanted.asset
    ) > rialto_paid_in(refunded, wanted.asset) then
      return json_build_object('refused', 'refunds must not exceed the charge');
    end if;
  end if;

  if account.no is not null then
    account := rialto_charge_asset(account, wanted.asset,
      case when wanted.credit = 'customer:' || account.id then -wanted.amount_nano else wanted.amount_nano end);
    perform rialto_store_accounts(array[account]);
  end if;
  posted.id := wanted.id;
  posted.code := wanted.code;
  posted.debit := wanted.debit;
  posted.credit := wanted.credit;
  posted.asset := wanted.asset;
  posted.amount_nano := wanted.amount_nano;
  posted.customer_no := account.no;
  posted.balance_after_nano := rialto_balance_of(account, wanted.asset);
  posted.hold_seq := refunded.hold_seq;
  posted.line := wanted.line;
  posted.note := wanted.note;
  posted.idempotency_key := wanted.idempotency_key;
  posted.created_at_ms := wanted.created_at_ms;
  perform rialto_append_transfers(array[posted], wanted.free_text);
  return json_build_object('posted', wanted.id);
end $$;`
