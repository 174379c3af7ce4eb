import type { Selectable } from 'kysely'
import type { BucketState, DayCount } from '../../../../domain/limits/types.ts'
import { fromDbNumber, type RawInteger } from '../../sql/mapping.ts'
import type { Tables } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'
import { type CachedRows, createCachedRows } from './cached-rows.ts'

/** The rate buckets and the day of an account for a model, or of a key. Null is what nobody used yet. */
export interface BucketRow {
  readonly accountNo: number
  readonly keyNo: number
  readonly model: string
  requests: BucketState | null
  tokens: BucketState | null
  day: DayCount | null
}

export interface BucketRows extends Omit<CachedRows<BucketRow>, 'find'> {
  ofModel(accountNo: number, model: string): BucketRow
  ofKey(keyNo: number): BucketRow
}

export function createBucketRows(database: SqliteDatabase): BucketRows {
  const select = database.prepare('select * from rate_buckets where account_no = ? and key_no = ? and model = ?')
  const upsert = database.prepare(
    'insert into rate_buckets' +
      ' (account_no, key_no, model, requests_level, requests_at_ms, tokens_level, tokens_at_ms, day, day_requests)' +
      ' values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set requests_level = excluded.requests_level,' +
      ' requests_at_ms = excluded.requests_at_ms, tokens_level = excluded.tokens_level,' +
      ' tokens_at_ms = excluded.tokens_at_ms, day = excluded.day, day_requests = excluded.day_requests',
  )
  const rows = createCachedRows<BucketRow>(({ accountNo, keyNo, model, requests, tokens, day }) => {
    const levels = [requests?.level ?? null, requests?.atMs ?? null, tokens?.level ?? null, tokens?.atMs ?? null]
    upsert.run([accountNo, keyNo, model, ...levels, day?.day ?? null, day?.requests ?? null])
  })

  function find(accountNo: number, keyNo: number, model: string): BucketRow {
    const read = () => {
      const row = select.get([accountNo, keyNo, model]) as Selectable<Tables['rate_buckets']> | undefined
      return {
        accountNo,
        keyNo,
        model,
        requests: bucketOf(row?.requests_level ?? null, row?.requests_at_ms ?? null),
        tokens: bucketOf(row?.tokens_level ?? null, row?.tokens_at_ms ?? null),
        day: dayOf(row?.day ?? null, row?.day_requests ?? null),
      }
    }
    return rows.find(`${accountNo}/${keyNo}/${model}`, read)
  }

  return { ...rows, ofModel: (accountNo, model) => find(accountNo, 0, model), ofKey: keyNo => find(0, keyNo, '') }
}

function bucketOf(level: number | null, atMs: RawInteger | null): BucketState | null {
  return level === null || atMs === null ? null : { level, atMs: fromDbNumber(atMs) }
}

function dayOf(day: RawInteger | null, requests: RawInteger | null): DayCount | null {
  return day === null || requests === null ? null : { day: fromDbNumber(day), requests: fromDbNumber(requests) }
}
