/** Currencies besides dollars (money.md §4): what core/currency.ts and domain/ledger/pay-late.ts say. */
export const currencies = `
-- Null for dollars alone, which is what nearly all holds and charges are.
create function rialto_read_parts(parts text) returns rialto_parts language plpgsql immutable as $$
declare
  list json := parts;
begin
  if list is null then return null; end if;
  return (list ->> 0, list ->> 1, list ->> 2, list ->> 3)::rialto_parts;
end $$;

create function rialto_write_parts(parts rialto_parts) returns text language plpgsql immutable as $$
begin
  if parts.day is null then return null; end if;
  return json_build_array(parts.day, parts.diem_nano::text, parts.earned_nano::text, parts.bundled_nano::text);
end $$;

create function rialto_sum_of_parts(parts rialto_parts) returns numeric language plpgsql immutable as $$
begin
  return coalesce(parts.diem_nano + parts.earned_nano + parts.bundled_nano, 0);
end $$;

-- Pays an amount with what there is, in the order of spending; null when dollars pay all of it.
create function rialto_pay_from(room rialto_parts, amount_nano numeric) returns rialto_parts language plpgsql immutable as $$
declare
  paid rialto_parts;
begin
  if room.day is null then return null; end if;
  paid.day := room.day;
  paid.diem_nano := least(amount_nano, room.diem_nano);
  paid.earned_nano := least(amount_nano - paid.diem_nano, room.earned_nano);
  paid.bundled_nano := least(amount_nano - paid.diem_nano - paid.earned_nano, room.bundled_nano);
  if rialto_sum_of_parts(paid) = 0 then return null; end if;
  return paid;
end $$;

create function rialto_diem_left(account accounts, day bigint) returns numeric language plpgsql immutable as $$
begin
  return greatest(
    account.diem_per_day_nano::numeric - case when day = account.diem_day then account.diem_spent_nano else 0 end, 0);
end $$;

create function rialto_diem_free(account accounts, day bigint) returns numeric language plpgsql immutable as $$
begin
  return greatest(
    rialto_diem_left(account, day) - case when day = account.diem_day then account.diem_held_nano else 0 end, 0);
end $$;

-- What is there of each currency; null for an account that has dollars alone.
create function rialto_other_balances(account accounts, now_ms bigint) returns rialto_parts language plpgsql immutable as $$
declare
  day bigint;
begin
  if account.diem_per_day_nano = 0 and account.earned_nano = 0 and account.bundled_nano = 0 then return null; end if;
  day := greatest(account.diem_day, now_ms / 86400000);
  return (day, rialto_diem_left(account, day), account.earned_nano, account.bundled_nano)::rialto_parts;
end $$;

-- Sets a hold aside, or with sign -1 gives it back, but for an allowance whose day is over.
create function rialto_hold_parts(account accounts, parts rialto_parts, sign integer)
returns accounts language plpgsql immutable as $$
begin
  if sign > 0 and parts.diem_nano > 0 and parts.day > account.diem_day then
    account.diem_day := parts.day;
    account.diem_spent_nano := 0;
    account.diem_held_nano := 0;
  end if;
  if parts.day = account.diem_day then
    account.diem_held_nano := account.diem_held_nano + sign * parts.diem_nano;
  end if;
  account.earned_held_nano := account.earned_held_nano + sign * parts.earned_nano;
  account.bundled_held_nano := account.bundled_held_nano + sign * parts.bundled_nano;
  return account;
end $$;

-- Below zero a part is given back.
create function rialto_charge_parts(account accounts, parts rialto_parts) returns accounts language plpgsql immutable as $$
begin
  if parts.day = account.diem_day then
    account.diem_spent_nano := greatest(account.diem_spent_nano + parts.diem_nano, 0);
  end if;
  account.earned_nano := account.earned_nano - parts.earned_nano;
  account.bundled_nano := account.bundled_nano - parts.bundled_nano;
  return account;
end $$;

-- What of a hold that was resolved by a guess can still be paid with currencies besides dollars.
create function rialto_late_room(account accounts, held rialto_parts, paid rialto_parts)
returns rialto_parts language plpgsql immutable as $$
declare
  room rialto_parts;
begin
  if held.day is null then return null; end if;
  room.day := held.day;
  room.diem_nano := least(held.diem_nano, coalesce(paid.diem_nano, 0)
    + case when held.day = account.diem_day then rialto_diem_free(account, held.day) else 0 end);
  room.earned_nano := least(held.earned_nano, coalesce(paid.earned_nano, 0)
    + greatest(account.earned_nano::numeric - account.earned_held_nano, 0));
  room.bundled_nano := least(held.bundled_nano, coalesce(paid.bundled_nano, 0)
    + greatest(account.bundled_nano::numeric - account.bundled_held_nano, 0));
  return room;
end $$;

-- By how much each part changes; null when there is none before and after.
create function rialto_parts_difference(after rialto_parts, before rialto_parts)
returns rialto_parts language plpgsql immutable as $$
begin
  if after.day is null and before.day is null then return null; end if;
  return (coalesce(after.day, before.day),
    coalesce(after.diem_nano, 0) - coalesce(before.diem_nano, 0),
    coalesce(after.earned_nano, 0) - coalesce(before.earned_nano, 0),
    coalesce(after.bundled_nano, 0) - coalesce(before.bundled_nano, 0))::rialto_parts;
end $$;`
