import { callSettings } from './call-settings.ts'

/**
 * Resolves many holds in the order in which their settlements came. A hold is resolved by deleting its row under its
 * account's lock, which happens once (money.md §2). For a hold that is not open the answer is null, and
 * `rialto_settle_late` says why.
 *
 * Locks: accounts in the order of their numbers, then the head of the chain, and after it only holds that progress marks
 * are for. Those are passed over when somebody has them: they are being resolved, and a mark means nothing any more.
 */
export const settle = `
create function rialto_settle(asked json) returns json language plpgsql
${callSettings} as $$
declare
  settlements rialto_settlement[] :=
    array(select s from json_populate_recordset(null::rialto_settlement, asked -> 'settlements') s);
  hold_ids text[] := array(select hold_id from unnest(settlements));
  account_nos bigint[] := array(select distinct account_no from holds where id = any (hold_ids) order by account_no);
  key_nos bigint[];
  account_rows accounts[];
  key_rows api_keys[];
  hold_rows holds[];
  settlement rialto_settlement;
  hold holds;
  account accounts;
  key api_keys;
  decision rialto_charge_decision;
  held rialto_parts;
  paid rialto_parts;
  usd_nano bigint;
  records usage_records[] := '{}';
  posted transfers[] := '{}';
  returned rialto_returned_tokens[] := '{}';
  answers json[] := '{}';
begin
  perform 1 from accounts where no = any (account_nos) order by no for no key update;
  with resolved as (
    delete from holds h where id = any (hold_ids) and account_no = any (account_nos) returning h
  )
  select array_agg(resolved.h order by ordinality) into hold_rows
    from unnest(hold_ids) with ordinality as named(id) left join resolved on (resolved.h).id = named.id;
  key_nos := array(select distinct key_no from unnest(hold_rows) where key_no is not null order by key_no);
  account_rows := array(select a from accounts a where no = any (account_nos) order by no);
  key_rows := array(select k from api_keys k where no = any (key_nos) order by no);

  for i in 1 .. cardinality(settlements) loop
    settlement := settlements[i];
    hold := hold_rows[i];
    if hold.id is null then
      answers := array_append(answers, null);
      continue;
    end if;
    account := account_rows[array_position(account_nos, hold.account_no)];
    key := key_rows[array_position(key_nos, hold.key_no)];
    decision := rialto_decide_charge(settlement, hold.amount_nano, rialto_free_failures(account, settlement.at_ms));
    held := rialto_read_parts(hold.parts);
    paid := rialto_pay_from(held, decision.charged_nano);
    answers := array_append(answers, json_build_array(
      decision.charged_nano::text, nullif(decision.lines, settlement.lines), rialto_write_parts(paid)));
    records := array_append(records, rialto_usage_record(hold, settlement, decision, paid, account.balance_nano));
    returned := returned || rialto_unused_tokens(hold, key, settlement);
    account.held_nano := account.held_nano - hold.amount_nano + rialto_sum_of_parts(held);
    account.open_holds := account.open_holds - 1;
    if held.day is not null then account := rialto_hold_parts(account, held, -1); end if;
    key.held_nano := key.held_nano - hold.amount_nano + coalesce(held.diem_nano, 0);
    key.held_diem_nano := key.held_diem_nano - coalesce(held.diem_nano, 0);
    key.open_holds := key.open_holds - 1;
    if decision.used_free_failure then account := rialto_use_free_failure(account, settlement.at_ms); end if;
    if decision.charged_nano <> 0 then
      usd_nano := decision.charged_nano - rialto_sum_of_parts(paid);
      account := rialto_charge_account(account, usd_nano);
      if paid.day is not null then account := rialto_charge_parts(account, paid); end if;
      key := rialto_charge_key(key, (decision.charged_nano - coalesce(paid.diem_nano, 0))::bigint,
        coalesce(paid.diem_nano, 0)::bigint, settlement.at_ms);
      posted := posted || rialto_charge_transfers(account, hold.seq, 'usage', paid, usd_nano, settlement.at_ms);
    end if;
    account_rows[array_position(account_nos, hold.account_no)] := account;
    key_rows[array_position(key_nos, hold.key_no)] := key;
  end loop;

  perform rialto_insert_records(records);
  perform rialto_store_accounts(account_rows);
  perform rialto_store_keys(key_rows);
  perform rialto_return_tokens(returned);
  perform rialto_append_transfers(posted);
  perform rialto_mark(asked -> 'marks');
  return array_to_json(answers);
end $$;`
