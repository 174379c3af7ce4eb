/** Writes back what a call changed of accounts and keys, and only that. The caller has the accounts' locks. */
export const storedSums = `
create function rialto_store_accounts(known accounts[]) returns void language plpgsql as $$
begin
  update accounts a set
    balance_nano = k.balance_nano, held_nano = k.held_nano, open_holds = k.open_holds, credited_nano = k.credited_nano,
    debited_nano = k.debited_nano, free_failure_hour = k.free_failure_hour, free_failures = k.free_failures,
    diem_day = k.diem_day, diem_spent_nano = k.diem_spent_nano, diem_held_nano = k.diem_held_nano,
    earned_nano = k.earned_nano, earned_held_nano = k.earned_held_nano, bundled_nano = k.bundled_nano,
    bundled_held_nano = k.bundled_held_nano
  from unnest(known) k
  where a.no = k.no
    and ((a.open_holds, a.held_nano, a.credited_nano, a.debited_nano, a.free_failure_hour, a.free_failures)
      <> (k.open_holds, k.held_nano, k.credited_nano, k.debited_nano, k.free_failure_hour, k.free_failures)
      or (a.diem_day, a.diem_spent_nano, a.diem_held_nano, a.earned_nano, a.earned_held_nano, a.bundled_nano,
        a.bundled_held_nano)
      <> (k.diem_day, k.diem_spent_nano, k.diem_held_nano, k.earned_nano, k.earned_held_nano, k.bundled_nano,
        k.bundled_held_nano));
end $$;

create function rialto_store_keys(known api_keys[]) returns void language plpgsql as $$
begin
  update api_keys a set
    period_start_ms = k.period_start_ms, spent_nano = k.spent_nano, held_nano = k.held_nano, open_holds = k.open_holds,
    spent_diem_nano = k.spent_diem_nano, held_diem_nano = k.held_diem_nano
  from unnest(known) k
  where a.no = k.no
    and (a.open_holds, a.held_nano, a.spent_nano, a.period_start_ms, a.spent_diem_nano, a.held_diem_nano)
      <> (k.open_holds, k.held_nano, k.spent_nano, k.period_start_ms, k.spent_diem_nano, k.held_diem_nano);
end $$;`
