import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../sql/migrations/migration.ts'

/**
 * Which gateways live. One that is not in the table, or whose lease is over, is dead: what it left open is resolved by
 * the others. Running idempotency keys are found by their process without reading those that are done.
 */
export const gatewayLeases: Pick<Migration, 'name' | 'up'> = {
  name: 'gateway-leases',
  async up(db: Kysely<unknown>) {
    await sql`
      create table gateways (
        process_id text primary key,
        lease_until_ms bigint not null
      )`.execute(db)
    await sql`create index idempotency_keys_running on idempotency_keys (process_id) where state = 'running'`.execute(
      db,
    )
  },
}
