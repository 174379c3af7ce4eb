import type { Selectable } from 'kysely'
import type { KeyId } from '../../../../core/ids.ts'
import type { LimitPeriod } from '../../../../domain/identity/types.ts'
import type { RateLimits } from '../../../../domain/limits/types.ts'
import { fromDbAmount, fromDbAmountOrNull, fromDbNumber, fromDbNumberOrNull, fromDbWord } from '../../sql/mapping.ts'
import type { ApiKeysTable } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'
import { type CachedRows, createCachedRows } from './cached-rows.ts'

/** What admission and settlement read and change of a key. */
export interface KeyRow {
  readonly no: number
  readonly accountNo: number
  readonly revokedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly limitNano: bigint | null
  readonly limitDiemNano: bigint | null
  readonly period: LimitPeriod
  readonly concurrency: number | null
  readonly rates: RateLimits
  periodStartMs: number
  spentNano: bigint
  heldNano: bigint
  spentDiemNano: bigint
  heldDiemNano: bigint
  openHolds: number
}

export interface KeyRows extends Omit<CachedRows<KeyRow>, 'find'> {
  find(id: KeyId): KeyRow | null
}

export function createKeyRows(database: SqliteDatabase): KeyRows {
  const select = database.prepare('select * from api_keys where id = ?')
  const update = database.prepare(
    'update api_keys set period_start_ms = ?, spent_nano = ?, held_nano = ?, open_holds = ?, spent_diem_nano = ?,' +
      ' held_diem_nano = ? where no = ?',
  )
  const rows = createCachedRows<KeyRow>(row => {
    const { periodStartMs, spentNano, heldNano, openHolds, spentDiemNano, heldDiemNano, no } = row
    update.run([periodStartMs, spentNano, heldNano, openHolds, spentDiemNano, heldDiemNano, no])
  })
  const read = (id: KeyId) => {
    const row = select.get([id]) as Selectable<ApiKeysTable> | undefined
    return row === undefined ? null : fromDbKeyRow(row)
  }
  return { ...rows, find: id => rows.find(id, () => read(id)) }
}

function fromDbKeyRow(row: Selectable<ApiKeysTable>): KeyRow {
  return {
    no: fromDbNumber(row.no),
    accountNo: fromDbNumber(row.account_no),
    revokedAtMs: fromDbNumberOrNull(row.revoked_at_ms),
    expiresAtMs: fromDbNumberOrNull(row.expires_at_ms),
    limitNano: fromDbAmountOrNull(row.limit_nano),
    limitDiemNano: fromDbAmountOrNull(row.limit_diem_nano),
    period: fromDbWord(row.period, ['epoch', 'month', 'lifetime']),
    concurrency: fromDbNumberOrNull(row.concurrency),
    rates: {
      requestsPerMinute: fromDbNumberOrNull(row.requests_per_minute) ?? 'unlimited',
      tokensPerMinute: fromDbNumberOrNull(row.tokens_per_minute) ?? 'unlimited',
      requestsPerDay: fromDbNumberOrNull(row.requests_per_day) ?? 'unlimited',
    },
    periodStartMs: fromDbNumber(row.period_start_ms),
    spentNano: fromDbAmount(row.spent_nano),
    heldNano: fromDbAmount(row.held_nano),
    spentDiemNano: fromDbAmount(row.spent_diem_nano),
    heldDiemNano: fromDbAmount(row.held_diem_nano),
    openHolds: fromDbNumber(row.open_holds),
  }
}
