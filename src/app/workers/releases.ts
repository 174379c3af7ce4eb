import type { Logger } from '../../core/logger.ts'
import type { Timers } from '../../core/timers.ts'

/** From one try to the next while the store takes nothing. */
const againMs = 1_000
const endWaitMs = 5_000

export interface ReleasesOptions {
  /** Resolves what the process left open. Rejects when the store takes nothing now. */
  readonly resolve: (processId: string) => Promise<void>
  readonly timers: Timers
  readonly logger: Logger
}

/** What dead workers left open, on its way to be resolved. */
export interface Releases {
  /** To be called when the process is gone and everything that it had sent was heard. Tried until it is done. */
  begin(processId: string): void
  /** Waits for them within a bound, and tries no more: the next start does what is left. */
  end(): Promise<void>
}

export function createReleases({ resolve, timers, logger }: ReleasesOptions): Releases {
  const running = new Set<Promise<void>>()
  let isOver = false
  const wait = (ms: number) => new Promise<void>(done => timers.after(ms, done))

  async function release(processId: string): Promise<void> {
    while (!isOver) {
      try {
        return await resolve(processId)
      } catch (error) {
        if (!isOver) logger.error('ledger.recover_failed', { error })
        await wait(againMs)
      }
    }
  }

  return {
    begin(processId) {
      const released = release(processId)
      running.add(released)
      void released.then(() => running.delete(released))
    },
    async end() {
      await Promise.race([Promise.all(running), wait(endWaitMs)])
      isOver = true
    },
  }
}
