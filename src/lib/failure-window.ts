/** Failures of two kinds, counted in a window that begins with the first of them. */
export interface FailureWindow {
  readonly failed: number
  readonly unsupported: number
  /** Wall time in milliseconds at which the counts begin anew. */
  readonly endsAtMs: number
}

type FailureKind = 'failed' | 'unsupported'

/** How many of a kind are allowed; what is not a number has no bound. */
type FailureBounds = Readonly<Record<FailureKind, number | 'unlimited'>>

/**
 * What counts now: the stored window while it lasts, else one that would begin now. A window that ends later than any can
 * that begins now and as long again was begun by a broken clock, or under longer windows, and counts no more.
 */
export function currentWindow(stored: FailureWindow | null, windowMs: number, nowMs: number): FailureWindow {
  const isLive = stored !== null && stored.endsAtMs > nowMs && stored.endsAtMs <= nowMs + 2 * windowMs
  return isLive ? stored : { failed: 0, unsupported: 0, endsAtMs: nowMs + windowMs }
}

/** The kind of which as many were counted as are allowed, so that nothing more passes; null while there is none. */
export function spentKind(window: FailureWindow, bounds: FailureBounds): FailureKind | null {
  if (left(window, bounds, 'failed') <= 0) return 'failed'
  return left(window, bounds, 'unsupported') <= 0 ? 'unsupported' : null
}

/** The same for the failure that was counted last: it was still allowed when it was the last one that is. */
export function spentKindBefore(
  window: FailureWindow,
  bounds: FailureBounds,
  counted: FailureKind,
): FailureKind | null {
  return spentKind({ ...window, [counted]: window[counted] - 1 }, bounds)
}

/** How many more are allowed of the kind that runs out first; Infinity without bounds. */
export function failuresLeft(window: FailureWindow, bounds: FailureBounds): number {
  return Math.max(Math.min(left(window, bounds, 'failed'), left(window, bounds, 'unsupported')), 0)
}

function left(window: FailureWindow, bounds: FailureBounds, kind: FailureKind): number {
  const bound = bounds[kind]
  return bound === 'unlimited' ? Number.POSITIVE_INFINITY : bound - window[kind]
}
