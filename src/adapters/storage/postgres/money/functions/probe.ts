import { callSettings } from './call-settings.ts'

/** Shows that a write can be committed: a transaction that changes nothing could succeed where none can be written. */
export const probe = `
create function rialto_probe() returns void language plpgsql
${callSettings} as $$
begin
  update ledger_head set id = id where id = 1;
end $$;`
