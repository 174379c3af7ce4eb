import { sql as raw } from 'kysely'
import { bucketsPerOwnerMax, type CountedFailure, type FailureStore } from '../../../../domain/limits/failure-store.ts'
import type { FailureBucket, FailureCounts } from '../../../../domain/limits/types.ts'
import { fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'

const columns = ['failed', 'unsupported', 'ends_at_ms'] as const

export function createFailureStore(sql: Sql): FailureStore {
  return {
    async count(failure) {
      const bucket = await bucketFor(sql, failure)
      return fromDbCounts(await add(sql, { ...failure, bucket }))
    },
    async read(bucket) {
      const row = await find(sql, bucket)
      return row === undefined ? null : fromDbCounts(row)
    },
    async prune(endedBeforeMs, limit) {
      const { rows } = await raw`
        delete from failure_counts where ends_at_ms <= ${endedBeforeMs} and (owner, model, user_name) in (
          select owner, model, user_name from failure_counts where ends_at_ms <= ${endedBeforeMs}
          order by ends_at_ms limit ${limit}
        ) returning 1`.execute(sql)
      return rows.length
    },
  }
}

/** A new user's failures get a bucket of their own while their owner has few enough that count. */
async function bucketFor(sql: Sql, { bucket, nowMs }: CountedFailure): Promise<FailureBucket> {
  if (bucket.user === '' || (await find(sql, bucket)) !== undefined) return bucket
  const live = await sql
    .selectFrom('failure_counts')
    .select('model')
    .where('owner', '=', bucket.owner)
    .where('ends_at_ms', '>', nowMs)
    .limit(bucketsPerOwnerMax)
    .execute()
  return live.length < bucketsPerOwnerMax ? bucket : { ...bucket, user: '' }
}

/** One statement, so that each failure is counted once however many count at once. */
function add(sql: Sql, { bucket, kind, windowMs, nowMs }: CountedFailure) {
  const { owner, model, user } = bucket
  const [failed, unsupported] = kind === 'failed' ? [1, 0] : [0, 1]
  // As in lib/failure-window.ts.
  const isLive = raw<boolean>`failure_counts.ends_at_ms > ${nowMs} and failure_counts.ends_at_ms <= ${nowMs + 2 * windowMs}`
  const counted = (column: 'failed' | 'unsupported') =>
    raw<number>`case when ${isLive} then failure_counts.${raw.ref(column)} + excluded.${raw.ref(column)} else excluded.${raw.ref(column)} end`
  return sql
    .insertInto('failure_counts')
    .values({ owner, model, user_name: user, failed, unsupported, ends_at_ms: nowMs + windowMs })
    .onConflict(conflict =>
      conflict.columns(['owner', 'model', 'user_name']).doUpdateSet({
        failed: counted('failed'),
        unsupported: counted('unsupported'),
        ends_at_ms: raw<number>`case when ${isLive} then failure_counts.ends_at_ms else excluded.ends_at_ms end`,
      }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
}

function find(sql: Sql, { owner, model, user }: FailureBucket) {
  return sql
    .selectFrom('failure_counts')
    .select(columns)
    .where('owner', '=', owner)
    .where('model', '=', model)
    .where('user_name', '=', user)
    .executeTakeFirst()
}

function fromDbCounts(row: Record<(typeof columns)[number], RawInteger>): FailureCounts {
  return {
    failed: fromDbNumber(row.failed),
    unsupported: fromDbNumber(row.unsupported),
    endsAtMs: fromDbNumber(row.ends_at_ms),
  }
}
