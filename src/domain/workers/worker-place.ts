import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import type { Timers } from '../../core/timers.ts'
import { endWorker, handOver } from './end-worker.ts'
import { restartDelayMs, stableMs } from './restart-delay.ts'
import type { LaunchWorker, WorkerProcess } from './worker-process.ts'

/** On a slow disk a start takes seconds; after this it hangs. */
const startMsMax = 60_000

export interface PlaceContext {
  readonly launch: LaunchWorker
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
  readonly logger: Logger
  /** Told the reason when a worker of this place did not become ready. */
  readonly onFailedStart: (reason: string) => void
}

/** One place of the group: the worker that serves in it, and what follows when that one ends. */
export interface Place {
  /** False while there is no worker that is ready. */
  readonly isServing: boolean
  /** Starts in a row after which no worker was ready. */
  readonly failedStarts: number
  /** Starts the first worker. Rejects with the reason when it does not become ready. */
  open(): Promise<void>
  /** Puts a new worker in the old one's place, without a gap. False when the new one failed, so that the old one stays. */
  replace(): Promise<boolean>
  /** Ends what runs here, and starts nothing more. Resolves when all of it is gone. */
  close(): Promise<void>
}

export function createPlace(place: number, context: PlaceContext): Place {
  const { launch, clock, timers, logger } = context
  const alive = new Set<WorkerProcess>()
  let serving: WorkerProcess | null = null
  let endsInRow = 0
  let failedStarts = 0
  let isReplacing = false
  let isClosing = false
  let cancelRestart = (): unknown => undefined

  /** Starts a worker and waits until it serves. */
  async function start(): Promise<WorkerProcess> {
    const worker = launch(place)
    const startedAtMs = clock.monotonic()
    alive.add(worker)
    logger.info('worker.started', { worker: place, pid: worker.pid })
    void worker.ended.then(exit => noteEnd(worker, { exit, ms: clock.monotonic() - startedAtMs }))
    const cancel = timers.after(startMsMax, () => worker.kill())
    try {
      await worker.ready
    } finally {
      cancel()
    }
    failedStarts = 0
    logger.info('worker.ready', { worker: place, pid: worker.pid })
    return worker
  }

  function noteEnd(worker: WorkerProcess, { exit, ms }: { readonly exit: string; readonly ms: number }): void {
    alive.delete(worker)
    if (ms >= stableMs) endsInRow = 0
    if (worker !== serving || isClosing) {
      logger.info('worker.ended', { worker: place, pid: worker.pid, exit })
      return
    }
    serving = null
    logger.error('worker.died', { worker: place, pid: worker.pid, exit })
    restartLater()
  }

  function restartLater(): void {
    if (isClosing || isReplacing) return
    endsInRow += 1
    cancelRestart = timers.after(restartDelayMs(endsInRow), () => void fill())
  }

  async function fill(): Promise<void> {
    try {
      serving = await start()
    } catch (error) {
      noteFailedStart(error)
      restartLater()
    }
  }

  function noteFailedStart(error: unknown): void {
    if (isClosing) return
    failedStarts += 1
    const reason = error instanceof Error ? error.message : 'unknown reason'
    logger.error('worker.start_failed', { worker: place, reason })
    context.onFailedStart(reason)
  }

  return {
    get isServing() {
      return serving !== null
    },
    get failedStarts() {
      return failedStarts
    },
    async open() {
      serving = await start()
    },
    async replace() {
      const old = serving
      // One that is about to be started is a new one anyway.
      if (old === null || isClosing) return true
      isReplacing = true
      try {
        const next = await start()
        serving = next
      } catch (error) {
        noteFailedStart(error)
        return false
      } finally {
        isReplacing = false
        if (serving === null) restartLater()
      }
      await handOver(old, timers)
      return true
    },
    async close() {
      isClosing = true
      cancelRestart()
      await Promise.all([...alive].map(worker => endWorker(worker, 'drain', timers)))
    },
  }
}
