import { fromDbAmount } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { findRecord, type RecordPlaces } from './usage-records.ts'

/** Which processes are known to be gone. */
type GoneProcesses = { readonly allBut: string } | { readonly only: string }

/**
 * Decides over the keys of processes that are gone, after their holds were resolved: a request that was charged has had
 * its run, though its answer is lost; any other may be sent again under the same key (reliability.md §6.5).
 */
export async function recoverIdempotencyKeys(
  places: RecordPlaces,
  gone: GoneProcesses,
  expiresAtMs: number,
): Promise<void> {
  const { sql } = places
  const keys = await sql
    .selectFrom('idempotency_keys')
    .select(['account_id', 'route', 'key', 'hold_id'])
    .where('state', '=', 'running')
    .where(where => ('only' in gone ? where('process_id', '=', gone.only) : where('process_id', '<>', gone.allBut)))
    .execute()
  for (const key of keys) {
    const record = await findRecord(places, 'hold_id', key.hold_id)
    await endKeys(sql, [{ ...key, cost_nano: record?.cost_nano ?? null }], expiresAtMs)
  }
}

/** A key whose run is over, and what that run was charged; null when it was never resolved. */
export interface AbandonedKey extends Scope {
  readonly cost_nano: bigint | number | string | null
}

export async function endKeys(sql: Sql, abandoned: readonly AbandonedKey[], expiresAtMs: number): Promise<void> {
  for (const { cost_nano, account_id, route, key, hold_id } of abandoned) {
    const wasCharged = cost_nano !== null && fromDbAmount(cost_nano) > 0n
    const scope = { account_id, route, key, hold_id }
    await (wasCharged ? finish(sql, scope, expiresAtMs) : remove(sql, scope))
  }
}

/** A key with the run that claimed it: it may be free by now, and claimed by another one. */
type Scope = Readonly<Record<'account_id' | 'route' | 'key' | 'hold_id', string>>

async function finish(sql: Sql, scope: Scope, expiresAtMs: number): Promise<void> {
  await sql
    .updateTable('idempotency_keys')
    .set({ state: 'done', expires_at_ms: expiresAtMs })
    .where(where => where.and(scope))
    .where('state', '=', 'running')
    .execute()
}

async function remove(sql: Sql, scope: Scope): Promise<void> {
  await sql
    .deleteFrom('idempotency_keys')
    .where(where => where.and(scope))
    .where('state', '=', 'running')
    .execute()
}
