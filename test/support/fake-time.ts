import type { Clock } from '../../src/core/clock.ts'
import type { Timers } from '../../src/core/timers.ts'

interface Task {
  readonly atMs: number
  readonly run: () => void
}

/** Time that moves only when it is told to. Both clocks count from the given start. */
export class FakeTime {
  readonly clock: Clock
  readonly timers: Timers
  #nowMs: number
  readonly #tasks = new Set<Task>()

  constructor(startMs = 1_000_000) {
    this.#nowMs = startMs
    this.clock = { now: () => this.#nowMs, monotonic: () => this.#nowMs }
    this.timers = {
      after: (ms, run) => {
        const task = { atMs: this.#nowMs + ms, run }
        this.#tasks.add(task)
        return () => this.#tasks.delete(task)
      },
    }
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Timers that have neither run nor been stopped. */
  get waiting(): number {
    return this.#tasks.size
  }

  /** Lets promises settle, then moves on by this much and runs what falls due, in order of time. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms
    await settle()
    for (;;) {
      const due = [...this.#tasks].filter(task => task.atMs <= untilMs).sort((left, right) => left.atMs - right.atMs)[0]
      if (due === undefined) break
      this.#tasks.delete(due)
      this.#nowMs = Math.max(this.#nowMs, due.atMs)
      due.run()
      await settle()
    }
    this.#nowMs = untilMs
    await settle()
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
