import type { Limit, RateView } from '../../core/rate-view.ts'

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000

/**
 * The `x-ratelimit-*` headers after a decision (venym.md §7). What has no limit has no headers. A reset is the time until
 * the bucket is full again.
 */
export function rateHeaders(view: RateView): readonly (readonly [name: string, value: string])[] {
  return [
    ...headersOf('requests', view.limitRequests, [view.remainingRequests, view.resetRequestsMs]),
    ...headersOf('tokens', view.limitTokens, [view.remainingTokens, view.resetTokensMs]),
  ]
}

function headersOf(
  unit: 'requests' | 'tokens',
  limit: Limit,
  [remaining, resetMs]: readonly [remaining: number, resetMs: number],
): readonly (readonly [string, string])[] {
  if (limit === 'unlimited') return []
  return [
    [`x-ratelimit-limit-${unit}`, String(limit)],
    [`x-ratelimit-remaining-${unit}`, String(remaining)],
    [`x-ratelimit-reset-${unit}`, formatDuration(resetMs)],
  ]
}

/** OpenAI's form: `20ms`, `1s`, `8.64s`, `6m0s`, `1h0m30s`. Takes whole milliseconds from 0. */
export function formatDuration(durationMs: number): string {
  if (durationMs > 0 && durationMs < secondMs) return `${durationMs}ms`
  const hours = Math.floor(durationMs / hourMs)
  const minutes = Math.floor((durationMs % hourMs) / minuteMs)
  const seconds = `${(durationMs % minuteMs) / secondMs}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
