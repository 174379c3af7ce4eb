import type { Clock } from '../../core/clock.ts'

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
