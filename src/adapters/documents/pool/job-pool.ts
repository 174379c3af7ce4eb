import type { Clock } from '../../../core/clock.ts'
import type { Timers } from '../../../core/timers.ts'
import { createFairQueue } from '../../../lib/fair-queue.ts'
import { type ChildCommand, type DocumentChild, startChild } from './child-process.ts'
import type { ControlGroups } from './control-groups.ts'
import type { Job, JobLimits, JobOutcome } from './job.ts'
import { runJob } from './run-job.ts'
import { StartError } from './start-error.ts'

/** A message has at most five files; an account may have a few messages on their way. */
const waitingPerAccountMax = 20
const waitingMax = 200
/** Files that wait are held in memory. */
const waitingBytesMax = 268_435_456
const waitMsMax = 30_000
/** A child that is started ahead saves its job the time of the start; without jobs it ends after this long. */
const spareMs = 60_000

export interface JobPool {
  /**
   * Runs a job in a child of its own, when its turn comes.
   * @throws AbortError
   */
  run(job: Job, signal: AbortSignal): Promise<JobOutcome>
  /** Ends all children. Jobs that run or wait fail. Resolves when the children are gone. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** Jobs at a time; 0 refuses all. */
  readonly childrenMax: number
  readonly limits: JobLimits
  /** @throws StartError */
  readonly walls: () => Promise<PoolWalls>
  readonly clock: Clock
  readonly timers: Timers
}

/** What a child is started behind. */
interface PoolWalls {
  command(): ChildCommand
  readonly groups: ControlGroups | null
}

interface Waiting {
  readonly job: Job
  readonly begin: () => void
}

async function startWalled(walls: PoolOptions['walls']): Promise<DocumentChild | null> {
  try {
    const { command, groups } = await walls()
    return startChild(command(), groups)
  } catch (error) {
    if (error instanceof StartError) return null
    throw error
  }
}

const failed = (reason: 'busy' | 'disabled' | 'crash'): JobOutcome => ({ kind: 'failure', reason })

/**
 * Children that live for one job each: nothing that a file does to its child outlives the file. While jobs come, one
 * child is kept ready, so that the next one need not wait for a start.
 */
export function createJobPool(options: PoolOptions): JobPool {
  const { childrenMax, limits, clock, timers } = options
  const queue = createFairQueue<Waiting>({ laneItemsMax: waitingPerAccountMax, itemsMax: waitingMax })
  const children = new Set<DocumentChild>()
  const state = { running: 0, waitingBytes: 0, closed: false }
  const closing = new AbortController()
  let spare: DocumentChild | null = null
  let forgetSpare: () => void = () => undefined

  /** Null when the machine has no room for a child. */
  async function start(): Promise<DocumentChild | null> {
    const child = await startWalled(options.walls)
    if (child === null) return null
    children.add(child)
    void child.exited.then(() => {
      children.delete(child)
      if (spare === child) spare = null
    })
    if (state.closed) child.kill()
    return child
  }

  async function takeChild(): Promise<DocumentChild | null> {
    const ready = spare
    spare = null
    return ready === null || ready.hasEnded() ? start() : ready
  }

  function keepSpare(): void {
    forgetSpare()
    if (state.closed) return
    forgetSpare = timers.after(spareMs, () => spare?.kill())
    if (spare !== null) return
    void start().then(child => {
      if (spare === null) spare = child
      else child?.kill()
    })
  }

  function next(): void {
    while (state.running < childrenMax) {
      const waiting = queue.take()
      if (waiting === undefined) return
      state.waitingBytes -= waiting.job.bytes.length
      state.running += 1
      waiting.begin()
    }
  }

  /** Resolves with whether the job's turn has come; it never does once the pool is closed. @throws AbortError */
  function turn(job: Job, signal: AbortSignal): Promise<boolean> {
    const end = AbortSignal.any([signal, closing.signal])
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancelWait()
        end.removeEventListener('abort', onEnd)
      }
      const giveUp = () => {
        leave()
        queue.remove(job.lane, waiting)
        state.waitingBytes -= job.bytes.length
      }
      const onEnd = () => {
        giveUp()
        if (signal.aborted) reject(signal.reason)
        else resolve(false)
      }
      const come = (hasCome: boolean) => {
        leave()
        resolve(hasCome)
      }
      const waiting = { job, begin: () => come(true) }
      const fits = state.waitingBytes + job.bytes.length <= waitingBytesMax
      if (!fits || !queue.push(job.lane, waiting)) return resolve(false)
      state.waitingBytes += job.bytes.length
      const cancelWait = timers.after(waitMsMax, () => {
        giveUp()
        resolve(false)
      })
      end.addEventListener('abort', onEnd, { once: true })
      next()
    })
  }

  return {
    async run(job, signal) {
      signal.throwIfAborted()
      if (childrenMax === 0) return failed('disabled')
      if (state.closed || !(await turn(job, signal))) return failed('busy')
      try {
        const child = await takeChild()
        if (child === null) return failed('busy')
        keepSpare()
        return await runJob(child, job, { limits, clock, signal })
      } finally {
        state.running -= 1
        next()
      }
    },
    async close() {
      state.closed = true
      closing.abort()
      forgetSpare()
      for (const child of children) child.kill()
      await Promise.all([...children].map(child => child.exited))
    },
  }
}
