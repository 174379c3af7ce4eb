import type { KeyId } from '../../../../core/ids.ts'
import { periodStart } from '../../../../domain/admission/limit-period.ts'
import type { KeySpending } from '../../../../domain/identity/types.ts'
import { utcDayStart, utcMonthStart, utcWeekStart } from '../../../../lib/utc-calendar.ts'
import { fromDbAmount, fromDbNumber, fromDbWord, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'

const dayMs = 86_400_000

/** A key that is not there has spent nothing. Days, weeks (from Monday) and months are those of UTC. */
export async function readKeySpending(sql: Sql, id: KeyId, nowMs: number): Promise<KeySpending> {
  const key = await sql.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
  if (key === undefined) return nothingSpent
  const days = sql.selectFrom('usage_days').where('key_no', '=', fromDbNumber(key.no)).groupBy('day')
  const rows = await days
    .select(({ fn }) => [
      'day',
      fn.sum<RawInteger>('cost_nano').as('cost_nano'),
      fn.sum<RawInteger>('diem_nano').as('diem_nano'),
    ])
    .execute()
  const since = (startMs: number) =>
    rows
      .filter(row => fromDbNumber(row.day) * dayMs >= startMs)
      .reduce((sum, row) => sum + fromDbAmount(row.cost_nano) - fromDbAmount(row.diem_nano), 0n)
  const period = fromDbWord(key.period, ['epoch', 'month', 'lifetime'])
  const startedBefore = periodStart(period, nowMs) > fromDbNumber(key.period_start_ms)
  return {
    spentNano: startedBefore ? 0n : fromDbAmount(key.spent_nano),
    heldNano: fromDbAmount(key.held_nano),
    usageDailyNano: since(utcDayStart(nowMs)),
    usageWeeklyNano: since(utcWeekStart(nowMs)),
    usageMonthlyNano: since(utcMonthStart(nowMs)),
    usageTotalNano: since(0),
  }
}

const nothingSpent: KeySpending = {
  spentNano: 0n,
  heldNano: 0n,
  usageDailyNano: 0n,
  usageWeeklyNano: 0n,
  usageMonthlyNano: 0n,
  usageTotalNano: 0n,
}
