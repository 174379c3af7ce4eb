import type { Clock } from '../../src/core/clock.ts'

export const realClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }
