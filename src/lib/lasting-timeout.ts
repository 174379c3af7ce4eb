/**
 * `AbortSignal.timeout(ms)` that comes whoever holds it. `AbortSignal.any()` holds its sources weakly: in Node 20 a timeout to
 * which nobody else listens is collected together with its timer, and what it was to end goes on for ever.
 */
export function lastingTimeout(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => undefined, { once: true })
  return signal
}
