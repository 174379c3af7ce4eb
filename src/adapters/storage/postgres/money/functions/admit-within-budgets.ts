import { callSettings } from './call-settings.ts'

/**
 * The same as `rialto_admit` for requests that have error budgets, in one statement: those whose budget is used up are not
 * asked about any further. `budgets` is a list as long as `requests`; what has no budget has members of null, and so has a
 * bound that is unlimited. What counts is what lib/failure-window.ts says.
 */
export const admitWithinBudgets = `
create type rialto_asked_budget as (
  owner text,
  model text,
  user_name text,
  failed double precision,
  unsupported double precision,
  window_ms bigint,
  now_ms bigint
);

create function rialto_admit_within_budgets(asked json) returns json language plpgsql
${callSettings} as $$
declare
  budget rialto_asked_budget;
  known failure_counts;
  counts json[] := '{}';
  is_spent boolean[] := '{}';
  passed jsonb;
begin
  for budget in select * from json_populate_recordset(null::rialto_asked_budget, asked -> 'budgets') loop
    select * into known from failure_counts f
      where f.owner = budget.owner and f.model = budget.model and f.user_name = budget.user_name
        and f.ends_at_ms > budget.now_ms and f.ends_at_ms <= budget.now_ms + 2 * budget.window_ms;
    counts := array_append(counts, json_build_array(known.failed, known.unsupported, known.ends_at_ms));
    is_spent := array_append(is_spent,
      coalesce(coalesce(known.failed, 0) >= budget.failed, false)
        or coalesce(coalesce(known.unsupported, 0) >= budget.unsupported, false));
  end loop;
  select coalesce(jsonb_agg(request order by position), '[]') into passed
    from jsonb_array_elements(asked::jsonb -> 'requests') with ordinality as listed(request, position)
    where not is_spent[position];
  return json_build_object(
    'counts', array_to_json(counts),
    'spent', array_to_json(is_spent),
    'admitted', rialto_admit(jsonb_set(asked::jsonb, '{requests}', passed)::json));
end $$;`
