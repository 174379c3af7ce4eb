import { callSettings } from './call-settings.ts'

/**
 * Gives back what an open hold has above an amount, under its account's lock, as all that changes a hold. It was looked up
 * before the lock was there, so it is looked up again; who resolved it meanwhile has given back all of it.
 */
export const lower = `
create function rialto_lower(asked json) returns void language plpgsql
${callSettings} as $$
declare
  amount bigint := asked ->> 'amount_nano';
  hold holds;
  account accounts;
  key api_keys;
  held rialto_parts;
  kept rialto_parts;
begin
  select a.* into account from accounts a
    where no = (select account_no from holds where id = asked ->> 'hold_id') for no key update;
  select * into hold from holds where id = asked ->> 'hold_id' for update;
  if hold.id is null or hold.amount_nano <= amount then return; end if;
  select * into key from api_keys where no = hold.key_no;

  held := rialto_read_parts(hold.parts);
  kept := rialto_pay_from(held, amount);
  account.held_nano := account.held_nano
    - (hold.amount_nano - rialto_sum_of_parts(held)) + (amount - rialto_sum_of_parts(kept));
  if held.day is not null then account := rialto_hold_parts(account, held, -1); end if;
  if kept.day is not null then account := rialto_hold_parts(account, kept, 1); end if;
  key.held_nano := key.held_nano
    - (hold.amount_nano - coalesce(held.diem_nano, 0)) + (amount - coalesce(kept.diem_nano, 0));
  key.held_diem_nano := key.held_diem_nano - coalesce(held.diem_nano, 0) + coalesce(kept.diem_nano, 0);

  update holds set amount_nano = amount, parts = rialto_write_parts(kept) where seq = hold.seq;
  perform rialto_store_accounts(array[account]);
  if key.no is not null then perform rialto_store_keys(array[key]); end if;
end $$;`
