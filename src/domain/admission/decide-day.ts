import type { DayCount, Limit } from '../limits/types.ts'

const dayMs = 86_400_000

export interface DayDecision {
  /** The count with this request in it; null without a limit. */
  readonly after: DayCount | null
  readonly isShort: boolean
}

/**
 * Requests in a day of UTC, of an account to a model or of a key (venice.md §5.3). A count of tomorrow is one that a gateway with a
 * faster clock began: it goes on, so that midnight never counts twice. Any other day's is over.
 */
export function decideDay(stored: DayCount | null, limit: Limit, nowMs: number): DayDecision {
  if (limit === 'unlimited') return { after: null, isShort: false }
  const today = Math.floor(nowMs / dayMs)
  const isCurrent = stored !== null && (stored.day === today || stored.day === today + 1)
  const { day, requests } = isCurrent ? stored : { day: today, requests: 0 }
  return requests >= limit
    ? { after: { day, requests }, isShort: true }
    : { after: { day, requests: requests + 1 }, isShort: false }
}
