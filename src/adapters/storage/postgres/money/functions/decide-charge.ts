/** What domain/ledger/decide-charge.ts and cap-charge.ts decide; the property test in test/conformance compares them. */
export const decideCharge = `
-- Takes what lies above the room off the last lines, so that the total stays the plain sum of the lines.
create function rialto_cap_lines(lines text, room numeric) returns text language plpgsql immutable as $$
declare
  capped json[] := '{}';
  line json;
  amount numeric;
begin
  for line in select * from json_array_elements(lines::json) loop
    amount := least((line ->> 2)::numeric, room);
    room := room - amount;
    capped := array_append(capped, json_build_array(line -> 0, line -> 1, amount::text));
  end loop;
  return array_to_json(capped);
end $$;

create function rialto_charged_lines(lines text) returns text language sql immutable as $$
  select coalesce(json_agg(line order by ordinality), '[]')
  from json_array_elements(lines::json) with ordinality as listed(line)
  where (line ->> 2)::numeric > 0
$$;

-- Asked for lines hold only what is charged; the statement that sends them leaves the others out.
create function rialto_decide_charge(settlement rialto_settlement, held_nano numeric, free_failures bigint)
returns rialto_charge_decision language plpgsql immutable as $$
declare
  decision rialto_charge_decision;
begin
  decision.used_free_failure := coalesce(free_failures < settlement.free_allowance, false);
  if settlement.free_allowance is null or decision.used_free_failure then
    decision.charged_nano := settlement.charge_nano;
    decision.lines := settlement.lines;
    decision.writeoff_nano := settlement.writeoff_nano;
  else
    decision.charged_nano := settlement.free_charge_nano;
    decision.lines := settlement.free_lines;
    decision.writeoff_nano := 0;
  end if;
  if decision.charged_nano > held_nano then
    decision.writeoff_nano := decision.writeoff_nano + decision.charged_nano - held_nano;
    decision.charged_nano := held_nano;
    decision.lines := rialto_charged_lines(rialto_cap_lines(decision.lines, held_nano));
  end if;
  return decision;
end $$;`
