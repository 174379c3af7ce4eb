import type { Timers } from '../../core/timers.ts'
import type { EndMode, WorkerProcess } from './worker-process.ts'

/** The longest orderly end: two minutes of drain, ten seconds each for what was cut and for connections, and the store. */
const endMsMax = 150_000
/** A worker that hands over is not waited for longer before the next place has its turn. */
const handOverWaitMs = 10_000

/** Asks a worker to end, and sees to it that it does. */
export async function endWorker(worker: WorkerProcess, mode: EndMode, timers: Timers): Promise<void> {
  worker.end(mode)
  const cancel = timers.after(endMsMax, () => worker.kill())
  await worker.ended
  cancel()
}

/** The same for one whose successor serves already. Resolves when it has ended, or when that takes long. */
export async function handOver(worker: WorkerProcess, timers: Timers): Promise<void> {
  await new Promise<void>(resolve => {
    const cancel = timers.after(handOverWaitMs, resolve)
    void endWorker(worker, 'hand_over', timers).then(() => {
      cancel()
      resolve()
    })
  })
}
