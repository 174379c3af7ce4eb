import { utcDayStart, utcMonthStart } from '../../lib/utc-calendar.ts'
import type { LimitPeriod } from '../identity/types.ts'

/** When the key's current spending period began: an epoch is a UTC day, a month a UTC month, a lifetime begins at 0. */
export function periodStart(period: LimitPeriod, nowMs: number): number {
  switch (period) {
    case 'epoch':
      return utcDayStart(nowMs)
    case 'month':
      return utcMonthStart(nowMs)
    case 'lifetime':
      return 0
  }
}
