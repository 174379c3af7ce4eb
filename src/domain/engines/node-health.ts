/** Faults in a row after which a node is left out (reliability.md §6.6). */
export const faultsToEject = 5

const ejectionMs = 30_000
const ejectionMaxMs = 300_000

/** A node that stayed well for this long starts again with the shortest ejection. */
const forgiveAfterMs = 300_000

/** However long a node asks to be spared, it is merely asked last for this long. */
const spareMaxMs = 60_000
const spareMs = 1_000

/**
 * - `healthy`
 * - `overloaded`: said that it has no room; asked after the others.
 * - `trial`: its ejection is over; the next call decides.
 * - `ejected`: asked only when nobody else is left.
 */
export type Standing = 'healthy' | 'overloaded' | 'trial' | 'ejected'

export interface NodeHealth {
  standing(nowMs: number): Standing
  /** Milliseconds of ejection left: the smaller, the less bad. */
  ejectedForMs(nowMs: number): number
  /** A call begins. On a node whose ejection is over it is the one trial, until it passes, fails or is given up. */
  begin(nowMs: number): void
  /** The node answered: ends an ejection. True when it did. Faults in a row are forgotten only by `succeeded`. */
  passed(nowMs: number): boolean
  /** The node answered to the end. True when that ended an ejection. */
  succeeded(nowMs: number): boolean
  /** True when the node is ejected by it. With `mayEject` false a node in good standing stays in, however bad it is. */
  failed(nowMs: number, fault: { readonly reason: string; readonly mayEject: boolean }): boolean
  overloaded(nowMs: number, retryAfterMs: number | null): void
  /** A call ended without saying anything about the node. */
  abandoned(): void
  readonly isEjected: boolean
  readonly isOnTrial: boolean
  readonly faultsInARow: number
  readonly lastError: string | null
}

/**
 * The breaker of one node: five faults in a row eject it for 30 s, each further ejection for 30 s more, at most 300 s;
 * then one call tries it. A caller's own fault (4xx) never comes here. Times are monotonic milliseconds.
 */
export function createNodeHealth(): NodeHealth {
  let faultsInARow = 0
  let ejections = 0
  let ejectedUntilMs: number | null = null
  let onTrial = false
  let wellSinceMs = 0
  let sparedUntilMs = 0
  let lastError: string | null = null

  function eject(nowMs: number): true {
    const wasWell = ejectedUntilMs === null && nowMs - wellSinceMs >= forgiveAfterMs
    ejections = wasWell ? 1 : ejections + 1
    ejectedUntilMs = nowMs + Math.min(ejectionMs * ejections, ejectionMaxMs)
    onTrial = false
    return true
  }

  function passed(nowMs: number): boolean {
    onTrial = false
    if (ejectedUntilMs === null) return false
    ejectedUntilMs = null
    wellSinceMs = nowMs
    return true
  }

  return {
    standing(nowMs) {
      if (ejectedUntilMs !== null) return nowMs >= ejectedUntilMs && !onTrial ? 'trial' : 'ejected'
      return sparedUntilMs > nowMs ? 'overloaded' : 'healthy'
    },
    ejectedForMs: nowMs => (ejectedUntilMs === null ? 0 : Math.max(0, ejectedUntilMs - nowMs)),
    begin(nowMs) {
      if (ejectedUntilMs !== null && nowMs >= ejectedUntilMs) onTrial = true
    },
    passed,
    succeeded(nowMs) {
      faultsInARow = 0
      return passed(nowMs)
    },
    failed(nowMs, { reason, mayEject }) {
      faultsInARow += 1
      lastError = reason
      // A call of last resort on an ejected node must not keep it out for longer.
      if (ejectedUntilMs !== null) return nowMs >= ejectedUntilMs && eject(nowMs)
      return faultsInARow >= faultsToEject && mayEject && eject(nowMs)
    },
    overloaded(nowMs, retryAfterMs) {
      onTrial = false
      lastError = 'http_429'
      sparedUntilMs = nowMs + Math.min(retryAfterMs ?? spareMs, spareMaxMs)
    },
    abandoned() {
      onTrial = false
    },
    get isEjected() {
      return ejectedUntilMs !== null
    },
    get isOnTrial() {
      return onTrial
    },
    get faultsInARow() {
      return faultsInARow
    },
    get lastError() {
      return lastError
    },
  }
}
