import { setImmediate } from 'node:timers/promises'
import type { Timers } from '../../../core/timers.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import type { FaultKind } from '../../../domain/engines/types.ts'

/** Every wait of one call. Each ends at once when the call is given up, and leaves no timer behind. */
export interface Pace {
  /** Waits so long, or until the limit and then fails. @throws EngineFault of the given kind, or `aborted` */
  wait(ms: number, limit: { readonly ms: number; readonly kind: FaultKind }): Promise<void>
  /** Lets others have their turn. @throws EngineFault `aborted` */
  yieldTurn(): Promise<void>
  /** @throws EngineFault `aborted` */
  check(): void
}

export function createPace(timers: Timers, signal: AbortSignal): Pace {
  function check(): void {
    if (signal.aborted) throw createFault('aborted')
  }

  function sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        stopTimer()
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const stopTimer = timers.after(ms, wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  return {
    check,
    async wait(ms, limit) {
      check()
      await sleep(Math.min(ms, limit.ms))
      check()
      if (ms > limit.ms) throw createFault(limit.kind)
    },
    async yieldTurn() {
      await setImmediate()
      check()
    },
  }
}
