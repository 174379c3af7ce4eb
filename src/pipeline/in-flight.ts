import type { Completions } from './run-completion.ts'

/** Completions that are running, counted so that a drain knows when it is over. */
export interface InFlight extends Completions {
  readonly count: number
  /** Resolves when none is running any more. */
  idle(): Promise<void>
}

export function countInFlight(completions: Completions): InFlight {
  let count = 0
  const waiters: (() => void)[] = []
  return {
    get count() {
      return count
    },
    async run(received, outlet) {
      count += 1
      try {
        await completions.run(received, outlet)
      } finally {
        count -= 1
        if (count === 0) for (const wake of waiters.splice(0)) wake()
      }
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise(resolve => waiters.push(resolve))),
  }
}
