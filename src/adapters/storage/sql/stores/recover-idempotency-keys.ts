import { fromDbAmount } from '../mapping.ts'
import type { Sql } from '../tables.ts'

/**
 * Decides over the keys of processes that are gone, after their holds were resolved: a request that was charged has had
 * its run, though its answer is lost; any other may be sent again under the same key (reliability.md §6.5).
 */
export async function recoverIdempotencyKeys(sql: Sql, processId: string, expiresAtMs: number): Promise<void> {
  const abandoned = await sql
    .selectFrom('idempotency_keys')
    .leftJoin('usage_records', 'usage_records.hold_id', 'idempotency_keys.hold_id')
    .select(['account_id', 'route', 'key', 'cost_nano'])
    .where('state', '=', 'running')
    .where('process_id', '<>', processId)
    .execute()
  for (const row of abandoned) {
    const wasCharged = row.cost_nano !== null && fromDbAmount(row.cost_nano) > 0n
    const scope = { account_id: row.account_id, route: row.route, key: row.key }
    await (wasCharged ? finish(sql, scope, expiresAtMs) : remove(sql, scope))
  }
}

type Scope = Readonly<Record<'account_id' | 'route' | 'key', string>>

async function finish(sql: Sql, scope: Scope, expiresAtMs: number): Promise<void> {
  await sql
    .updateTable('idempotency_keys')
    .set({ state: 'done', expires_at_ms: expiresAtMs })
    .where(where => where.and(scope))
    .execute()
}

async function remove(sql: Sql, scope: Scope): Promise<void> {
  await sql
    .deleteFrom('idempotency_keys')
    .where(where => where.and(scope))
    .execute()
}
