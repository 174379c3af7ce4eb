/** What domain/admission/decide-money.ts decides; the property test in test/conformance compares every member. */
export const decideMoney = `
create function rialto_hold_for(request rialto_admission_request, output_limit numeric)
returns numeric language sql immutable as $$
  select request.fixed_nano
    + div(request.choices * output_limit * request.output_nano_per_million + 999999, 1000000)
$$;

create function rialto_shrink_to_fit(request rialto_admission_request, budget_nano numeric)
returns numeric language plpgsql immutable as $$
declare
  asked numeric := request.output_limit;
  affordable numeric;
begin
  if request.output_nano_per_million = 0 then return asked; end if;
  budget_nano := least(budget_nano, rialto_hold_for(request, asked));
  affordable := div((budget_nano - request.fixed_nano) * 1000000, request.choices * request.output_nano_per_million);
  -- An answer of fewer than 16 tokens would not be one: then the request is refused as it was asked.
  if affordable >= asked or affordable < 16 then return asked; end if;
  return affordable;
end $$;

-- What could pay before dollars do, as domain/admission/currency-room.ts finds it, within the key's limit in DIEM.
create function rialto_currency_room(
  account accounts, key api_keys, key_diem_nano numeric, request rialto_admission_request
) returns rialto_parts language plpgsql immutable as $$
declare
  room rialto_parts;
begin
  if not request.spends_all then return null; end if;
  if account.diem_per_day_nano = 0 and account.earned_nano = 0 and account.bundled_nano = 0 and key_diem_nano is null then
    return null;
  end if;
  room.day := greatest(account.diem_day, request.now_ms / 86400000);
  room.diem_nano := least(rialto_diem_free(account, room.day), key_diem_nano);
  room.earned_nano := greatest(account.earned_nano::numeric - account.earned_held_nano, 0);
  room.bundled_nano := greatest(account.bundled_nano::numeric - account.bundled_held_nano, 0);
  return room;
end $$;

create function rialto_decide_money(
  account accounts, key api_keys, spent_nano numeric, spent_diem_nano numeric, request rialto_admission_request
) returns rialto_money_decision language plpgsql immutable as $$
declare
  soft boolean := account.mode = 'soft';
  key_diem_nano numeric := case when key.limit_diem_nano is not null then
    greatest(key.limit_diem_nano - spent_diem_nano - key.held_diem_nano, 0) end;
  room rialto_parts := rialto_currency_room(account, key, key_diem_nano, request);
  before_nano numeric := rialto_sum_of_parts(room);
  overdraft_nano numeric := case when soft then request.overdraft_nano else 0 end;
  available_nano numeric := account.balance_nano::numeric - account.held_nano + before_nano;
  key_nano numeric := key.limit_nano - spent_nano - key.held_nano; -- null for a key without a limit
  hold_max numeric := case when soft and available_nano <= 0 then null else available_nano + overdraft_nano end;
  key_hold_max numeric := case when soft and key_nano <= 0 then null else key_nano + overdraft_nano end;
  diem_ends boolean := false; -- for a key with a limit in DIEM alone, which ends first
  output_limit numeric := request.output_limit;
  hold_nano numeric;
begin
  if request.free then return (0, output_limit, null, null, null)::rialto_money_decision; end if;
  if before_nano > 0 then hold_max := greatest(coalesce(hold_max, 0), before_nano); end if;
  if room.diem_nano > 0 and key_nano is not null then
    key_hold_max := room.diem_nano + greatest(coalesce(key_hold_max, 0), 0);
  end if;
  if room.day is not null and key_diem_nano is not null and key.limit_nano is null then
    diem_ends := key_diem_nano = 0 or key_diem_nano < rialto_diem_free(account, room.day);
  end if;
  if request.may_shrink then
    output_limit := rialto_shrink_to_fit(request, least(coalesce(hold_max, 0),
      case when key_nano is not null then coalesce(key_hold_max, 0) end, case when diem_ends then key_diem_nano end));
  end if;
  hold_nano := rialto_hold_for(request, output_limit);
  if hold_max is null or hold_nano > hold_max then
    return (hold_nano, output_limit, 'insufficient_balance', available_nano, null)::rialto_money_decision;
  end if;
  if key_nano is not null and (key_hold_max is null or hold_nano > key_hold_max) then
    return (hold_nano, output_limit, 'key_limit_exceeded', key_nano, null)::rialto_money_decision;
  end if;
  if diem_ends and hold_nano > key_diem_nano then
    return (hold_nano, output_limit, 'key_diem_limit_exceeded', key_diem_nano, null)::rialto_money_decision;
  end if;
  return (hold_nano, output_limit, null, null, rialto_pay_from(room, hold_nano))::rialto_money_decision;
end $$;`
