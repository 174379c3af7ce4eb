import type { Timers } from '../../core/timers.ts'
import { createFault } from './create-fault.ts'
import type { EngineFault } from './types.ts'

export interface SlotOptions {
  /** How many may be taken at a time; asked again each time. */
  readonly limit: () => number
  /** How many may wait. */
  readonly queueMax: number
  readonly waitMs: number
  readonly timers: Timers
}

/** A bounded number of places and a bounded queue for them, first come, first served. */
export interface Slots {
  /** True when a place was free and nobody waits for it; it is taken then. */
  tryTake(): boolean
  /**
   * Takes a place as soon as there is one.
   * @throws EngineFault queue_full at once, queue_timeout after the wait, aborted with the signal
   */
  take(signal: AbortSignal): Promise<void>
  /** Refuses all who wait, as a full queue does. */
  turnAway(): void
  /** Gives a taken place back, to whoever waits longest. */
  give(): void
  readonly hasRoom: boolean
  readonly taken: number
  readonly queued: number
}

interface Waiter {
  readonly admit: () => void
  readonly refuse: (fault: EngineFault) => void
}

export function createSlots({ limit, queueMax, waitMs, timers }: SlotOptions): Slots {
  // A set keeps the order of arrival and lets anybody leave from its middle.
  const waiters = new Set<Waiter>()
  let taken = 0

  function hasRoom(): boolean {
    return taken < limit() && waiters.size === 0
  }

  function tryTake(): boolean {
    if (!hasRoom()) return false
    taken += 1
    return true
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiters.delete(waiter)
        stopTimer()
        signal.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        admit: () => {
          leave()
          resolve()
        },
        refuse: fault => {
          leave()
          reject(fault)
        },
      }
      const onAbort = (): void => waiter.refuse(createFault('aborted', { cause: signal.reason }))
      const stopTimer = timers.after(waitMs, () => waiter.refuse(createFault('queue_timeout')))
      signal.addEventListener('abort', onAbort, { once: true })
      waiters.add(waiter)
    })
  }

  return {
    tryTake,
    async take(signal) {
      if (signal.aborted) throw createFault('aborted', { cause: signal.reason })
      if (tryTake()) return
      if (waiters.size >= queueMax) throw createFault('queue_full')
      await wait(signal)
    },
    turnAway() {
      for (const waiter of waiters) waiter.refuse(createFault('queue_full'))
    },
    give() {
      taken -= 1
      for (const waiter of waiters) {
        if (taken >= limit()) return
        taken += 1
        waiter.admit()
      }
    },
    get hasRoom() {
      return hasRoom()
    },
    get taken() {
      return taken
    },
    get queued() {
      return waiters.size
    },
  }
}
