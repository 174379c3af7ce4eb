import type { Selectable } from 'kysely'
import type { IdempotencyStore } from '../../../../domain/idempotency/idempotency-store.ts'
import type {
  ClaimedKey,
  IdempotencyClaim,
  IdempotencyKey,
  IdempotencyStart,
} from '../../../../domain/idempotency/types.ts'
import { fromDbBytes, fromDbNumber, fromDbNumberOrNull } from '../mapping.ts'
import type { Sql, Tables } from '../tables.ts'
import { recoverIdempotencyKeys } from './recover-idempotency-keys.ts'
import type { RecordPlaces } from './usage-records.ts'

/** The body of an answer is opaque here; it comes and goes encrypted. Each method runs inside one write transaction. */
export function createIdempotencyStore(places: RecordPlaces): IdempotencyStore {
  const { sql } = places
  const running = (claimed: ClaimedKey) =>
    sql
      .updateTable('idempotency_keys')
      .where(where => where.and(claimOf(claimed)))
      .where('state', '=', 'running')

  return {
    async claim(start) {
      await deleteExpired(sql, start)
      const row = await keyRow(sql, start)
      if (row !== undefined) return fromDbClaim(row, start)
      if ((await countKeys(sql, start)) >= start.keysMax) return { state: 'full' }
      await insertRunning(sql, start)
      return { state: 'new' }
    },
    async complete(key, answer, expiresAtMs) {
      await running(key)
        .set({
          state: 'done',
          expires_at_ms: expiresAtMs,
          answer_status: answer?.status ?? null,
          answer_content_type: answer?.contentType ?? null,
          answer_body: answer?.body ?? null,
        })
        .execute()
    },
    async free(claimed) {
      await sql
        .deleteFrom('idempotency_keys')
        .where(where => where.and(claimOf(claimed)))
        .where('state', '=', 'running')
        .execute()
    },
    recover: (processId, expiresAtMs) => recoverIdempotencyKeys(places, { allBut: processId }, expiresAtMs),
    recoverFrom: (processId, expiresAtMs) => recoverIdempotencyKeys(places, { only: processId }, expiresAtMs),
    async prune(beforeMs, limit) {
      const expired = await sql
        .selectFrom('idempotency_keys')
        .select(['account_id', 'route', 'key'])
        .where('expires_at_ms', '<', beforeMs)
        .orderBy('expires_at_ms')
        .limit(limit)
        .execute()
      for (const row of expired) {
        await sql
          .deleteFrom('idempotency_keys')
          .where(where => where.and(row))
          .execute()
      }
      return expired.length
    },
  }
}

function scopeOf({ accountId, route, key }: IdempotencyKey) {
  return { account_id: accountId, route, key }
}

/** A run whose process was believed dead must not end the run that claimed its key since. */
function claimOf(claimed: ClaimedKey) {
  return { ...scopeOf(claimed), hold_id: claimed.holdId }
}

/** A key whose answer is no longer kept is as good as new. */
async function deleteExpired(sql: Sql, scope: IdempotencyStart): Promise<void> {
  await sql
    .deleteFrom('idempotency_keys')
    .where(where => where.and(scopeOf(scope)))
    .where('expires_at_ms', '<=', scope.nowMs)
    .execute()
}

function keyRow(sql: Sql, scope: IdempotencyKey) {
  return sql
    .selectFrom('idempotency_keys')
    .selectAll()
    .where(where => where.and(scopeOf(scope)))
    .executeTakeFirst()
}

function fromDbClaim(row: Selectable<Tables['idempotency_keys']>, start: IdempotencyStart): IdempotencyClaim {
  if (!fromDbBytes(row.fingerprint).equals(start.fingerprint)) return { state: 'reused' }
  if (row.state === 'running') return { state: 'running' }
  const status = fromDbNumberOrNull(row.answer_status)
  if (status === null || row.answer_body === null) return { state: 'done', requestId: row.request_id, answer: null }
  const answer = { status, contentType: row.answer_content_type ?? '', body: fromDbBytes(row.answer_body) }
  return { state: 'done', requestId: row.request_id, answer }
}

async function countKeys(sql: Sql, { accountId, nowMs }: IdempotencyStart): Promise<number> {
  const { count } = await sql
    .selectFrom('idempotency_keys')
    .select(select => select.fn.countAll<bigint>().as('count'))
    .where('account_id', '=', accountId)
    .where(where => where.or([where('expires_at_ms', 'is', null), where('expires_at_ms', '>', nowMs)]))
    .executeTakeFirstOrThrow()
  return fromDbNumber(count)
}

async function insertRunning(sql: Sql, start: IdempotencyStart): Promise<void> {
  await sql
    .insertInto('idempotency_keys')
    .values({
      account_id: start.accountId,
      route: start.route,
      key: start.key,
      fingerprint: start.fingerprint,
      request_id: start.requestId,
      hold_id: start.holdId,
      process_id: start.processId,
      state: 'running',
      created_at_ms: start.nowMs,
    })
    .execute()
}
