import type { SearchFailureKind } from './types.ts'

/** So many failures in a row, and a provider is left alone for a while. */
const failuresMax = 3
const restMs = { first: 15_000, most: 300_000 } as const
/** For a provider that asks for patience without saying how much. */
const rateLimitedMs = 10_000
/** A key that is not taken will not be taken a second later either. */
const unauthorisedMs = 60_000

/**
 * Spares searches the wait for a provider that just failed. After its rest one search tries it; while that runs, the
 * others still go past it.
 */
export interface ProviderBreaker {
  /** Whether the provider may be asked now. True takes the trial, whose end must then be told. */
  mayAsk(nowMs: number): boolean
  succeeded(): void
  /** `retryAfterMs` is what the provider asked for; null when it did not. */
  failed(kind: SearchFailureKind, nowMs: number, retryAfterMs: number | null): void
  /** The question was broken off for a reason that says nothing about the provider. */
  gaveUp(): void
  readonly isOpen: boolean
}

export function createProviderBreaker(): ProviderBreaker {
  let failures = 0
  let restUntilMs = 0
  let rests = 0
  let isTrying = false

  function rest(ms: number, nowMs: number): void {
    rests += 1
    restUntilMs = nowMs + ms
  }

  function reset(): void {
    failures = 0
    rests = 0
    isTrying = false
  }

  return {
    mayAsk(nowMs) {
      if (rests === 0) return true
      if (nowMs < restUntilMs || isTrying) return false
      isTrying = true
      return true
    },
    succeeded: reset,
    failed(kind, nowMs, retryAfterMs) {
      if (kind === 'empty') return reset()
      isTrying = false
      failures += 1
      if (kind === 'rate_limited') rest(Math.min(retryAfterMs ?? rateLimitedMs, restMs.most), nowMs)
      else if (kind === 'unauthorised') rest(unauthorisedMs, nowMs)
      else if (failures >= failuresMax) rest(Math.min(restMs.first * 2 ** (failures - failuresMax), restMs.most), nowMs)
    },
    gaveUp() {
      isTrying = false
    },
    get isOpen() {
      return rests > 0
    },
  }
}
