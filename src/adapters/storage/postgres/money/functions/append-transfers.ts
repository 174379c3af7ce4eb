/**
 * The end of the chain of transfers: each one's hash covers the one before it (see transfer-hash.ts). The head's row is
 * locked until the commit, for everybody, so this is the last thing that a call does.
 */
export const appendTransfers = `
create function rialto_append_transfers(posted transfers[], free_text text default '')
returns void language plpgsql as $$
declare
  head ledger_head;
  content text;
  ending text;
begin
  if cardinality(posted) = 0 then return; end if;
  select * into head from ledger_head where id = 1 for update;
  for i in 1 .. cardinality(posted) loop
    head.transfer_seq := head.transfer_seq + 1;
    ending := case
      when free_text = '' and (posted[i]).note <> '' then
        concat(chr(10), '[null,"', (posted[i]).line, '","', (posted[i]).note, '",null]')
      else free_text
    end;
    content := concat_ws(chr(10), head.transfer_hash, head.transfer_seq, (posted[i]).code, (posted[i]).debit,
      (posted[i]).credit, (posted[i]).asset, (posted[i]).amount_nano, coalesce((posted[i]).hold_seq::text, 'null'),
      (posted[i]).created_at_ms) || ending;
    head.transfer_hash := encode(sha256(convert_to(content, 'UTF8')), 'base64');
    posted[i].seq := head.transfer_seq;
    posted[i].hash := head.transfer_hash;
  end loop;
  insert into transfers (seq, id, code, debit, credit, asset, amount_nano, customer_no, balance_after_nano, hold_seq, line, note,
      idempotency_key, created_at_ms, hash)
    select seq, id, code, debit, credit, asset, amount_nano, customer_no, balance_after_nano, hold_seq, line,
      note, idempotency_key, created_at_ms, hash
    from unnest(posted);
  update ledger_head set transfer_seq = head.transfer_seq, transfer_hash = head.transfer_hash where id = 1;
end $$;`
