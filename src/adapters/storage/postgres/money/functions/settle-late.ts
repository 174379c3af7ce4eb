import { callSettings } from './call-settings.ts'

/**
 * A settlement for a hold that is not open. It changes nothing, unless the hold was resolved by a guess for a process
 * that was believed dead: then it posts the difference, once (money.md §2). The money may have been spent on other
 * requests since, so it takes no more than the account still has; a hold's promise does not outlive the hold. Null when
 * there never was such a hold.
 */
export const settleLate = `
create function rialto_settle_late(asked json) returns json language plpgsql
${callSettings} as $$
declare
  settlement rialto_settlement := json_populate_record(null::rialto_settlement, asked);
  record usage_records;
  account accounts;
  decision rialto_charge_decision;
  before rialto_parts;
  parts rialto_parts;
  paid rialto_parts;
  difference rialto_parts;
  difference_usd bigint;
  room numeric;
begin
  select a.* into account from accounts a
    where no = (select (rialto_find_record(settlement.hold_id)).account_no)
    for no key update;
  record := rialto_find_record(settlement.hold_id);
  if record.hold_id is null then return null; end if;
  if record.swept <> 1 then return json_build_array('already', record.cost_nano::text, record.lines, record.paid_parts); end if;

  decision := rialto_decide_charge(settlement, record.held_nano, rialto_free_failures(account, settlement.at_ms));
  if decision.used_free_failure then account := rialto_use_free_failure(account, settlement.at_ms); end if;
  before := rialto_read_parts(record.paid_parts);
  parts := rialto_late_room(account, rialto_read_parts(record.held_parts), before);
  room := rialto_sum_of_parts(parts) + least(
    record.held_nano - rialto_sum_of_parts(rialto_read_parts(record.held_parts)),
    record.cost_nano - rialto_sum_of_parts(before)
      + greatest(account.balance_nano - account.held_nano + record.overdraft_nano, 0));
  if decision.charged_nano > room then
    decision.writeoff_nano := decision.writeoff_nano + decision.charged_nano - room;
    decision.charged_nano := room;
    decision.lines := rialto_cap_lines(decision.lines, room);
  end if;
  paid := rialto_pay_from(parts, decision.charged_nano);
  difference := rialto_parts_difference(paid, before);
  difference_usd := decision.charged_nano - rialto_sum_of_parts(paid) - (record.cost_nano - rialto_sum_of_parts(before));
  account := rialto_charge_account(account, difference_usd);
  if difference.day is not null then account := rialto_charge_parts(account, difference); end if;
  perform rialto_store_accounts(array[account]);
  record := rialto_settled(record, settlement, decision, paid);
  record.swept := 2;
  record.balance_after_nano := account.balance_nano;
  perform rialto_correct_record(record);
  perform rialto_store_keys(array(
    select rialto_charge_key(k, (difference_usd + coalesce(difference.earned_nano + difference.bundled_nano, 0))::bigint,
      coalesce(difference.diem_nano, 0)::bigint, settlement.at_ms)
    from api_keys k
    where no = record.key_no
      and (difference_usd <> 0 or coalesce((difference.diem_nano, difference.earned_nano, difference.bundled_nano)
        <> (0::numeric, 0::numeric, 0::numeric), false))));
  perform rialto_append_transfers(
    rialto_charge_transfers(account, record.hold_seq, 'adjust', difference, difference_usd, settlement.at_ms));
  return json_build_array('adjusted', decision.charged_nano::text, decision.lines, rialto_write_parts(paid));
end $$;`
