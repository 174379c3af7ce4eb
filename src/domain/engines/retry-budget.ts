import type { Timers } from '../../core/timers.ts'
import { createSlots, type Slots } from './node-slots.ts'

/** Part of the active requests that may be on a further node at the same time (reliability.md §6.6). */
const retryShare = 0.2
const retriesMin = 3

/** A request that has to wait for its second try keeps its place in line for this long, then fails with its last answer. */
const retryWaitMs = 10_000
const retryQueueMax = 1_024

/**
 * How many requests may be on a further node at the same time: a fifth of the active ones, at least three. The others
 * wait their turn, so that nodes that fail under load do not get the load twice, and yet nobody is turned away at once.
 */
export function createRetryBudget(options: { readonly active: () => number; readonly timers: Timers }): Slots {
  return createSlots({
    limit: () => retriesAllowed(options.active()),
    queueMax: retryQueueMax,
    waitMs: retryWaitMs,
    timers: options.timers,
  })
}

export function retriesAllowed(activeRequests: number): number {
  return Math.max(retriesMin, Math.floor(activeRequests * retryShare))
}
