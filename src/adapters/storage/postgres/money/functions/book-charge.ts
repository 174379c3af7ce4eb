/** What a charge does to an account, and the rows that tell of it. */
export const bookCharge = `
create function rialto_free_failures(account accounts, at_ms bigint) returns bigint language sql immutable as $$
  select case when account.free_failure_hour = at_ms / 3600000 then account.free_failures else 0 end
$$;

create function rialto_use_free_failure(account accounts, at_ms bigint)
returns accounts language plpgsql immutable as $$
begin
  account.free_failures := rialto_free_failures(account, at_ms) + 1;
  account.free_failure_hour := at_ms / 3600000;
  return account;
end $$;

-- Below zero the charge is a correction that gives back.
create function rialto_charge_account(account accounts, amount_nano bigint)
returns accounts language plpgsql immutable as $$
begin
  account.balance_nano := account.balance_nano - amount_nano;
  account.debited_nano := account.debited_nano + greatest(amount_nano, 0);
  account.credited_nano := account.credited_nano + greatest(-amount_nano, 0);
  return account;
end $$;

-- What a transfer leaves; an allowance has no balance.
create function rialto_balance_of(account accounts, asset text) returns bigint language plpgsql immutable as $$
begin
  return case asset
    when 'usd' then account.balance_nano
    when 'earned' then account.earned_nano
    when 'bundled' then account.bundled_nano
  end;
end $$;

-- The transfer of such a charge, with the account as it is afterwards; its place in the chain is given to it later.
create function rialto_charge_transfer(
  account accounts, hold_number bigint, code text, asset text, charged_nano bigint, at_ms bigint
) returns transfers language plpgsql immutable as $$
declare
  posted transfers;
begin
  posted.code := code;
  posted.line := code;
  posted.debit := case when charged_nano < 0 then 'revenue' else 'customer:' || account.id end;
  posted.credit := case when charged_nano < 0 then 'customer:' || account.id else 'revenue' end;
  posted.asset := asset;
  posted.amount_nano := abs(charged_nano);
  posted.customer_no := account.no;
  posted.balance_after_nano := rialto_balance_of(account, asset);
  posted.hold_seq := hold_number;
  posted.note := '';
  posted.created_at_ms := at_ms;
  return posted;
end $$;

-- The transfers of a charge, one for each currency, in the order of spending.
create function rialto_charge_transfers(
  account accounts, hold_number bigint, code text, parts rialto_parts, usd_nano bigint, at_ms bigint
) returns transfers[] language plpgsql immutable as $$
declare
  posted transfers[] := '{}';
  one transfers;
begin
  if parts.diem_nano <> 0 then
    one := rialto_charge_transfer(account, hold_number, code, 'diem', parts.diem_nano::bigint, at_ms);
    one.note := to_char(date '1970-01-01' + parts.day::integer, 'YYYY-MM-DD'); -- as allowanceNote writes it
    posted := array_append(posted, one);
  end if;
  if parts.earned_nano <> 0 then
    posted := array_append(posted,
      rialto_charge_transfer(account, hold_number, code, 'earned', parts.earned_nano::bigint, at_ms));
  end if;
  if parts.bundled_nano <> 0 then
    posted := array_append(posted,
      rialto_charge_transfer(account, hold_number, code, 'bundled', parts.bundled_nano::bigint, at_ms));
  end if;
  if usd_nano <> 0 then
    posted := array_append(posted, rialto_charge_transfer(account, hold_number, code, 'usd', usd_nano, at_ms));
  end if;
  return posted;
end $$;

-- A charge counts in the period of the key in which it is settled; a correction never makes its spending negative.
create function rialto_charge_key(key api_keys, amount_nano bigint, diem_nano bigint, at_ms bigint)
returns api_keys language plpgsql immutable as $$
declare
  start_ms bigint := rialto_period_start(key.period, at_ms);
begin
  if start_ms > key.period_start_ms then
    key.period_start_ms := start_ms;
    key.spent_nano := 0;
    key.spent_diem_nano := 0;
  end if;
  key.spent_nano := greatest(key.spent_nano + amount_nano, 0);
  key.spent_diem_nano := greatest(key.spent_diem_nano + diem_nano, 0);
  return key;
end $$;`
