import { performance } from 'node:perf_hooks'

const attempts = 3
/** Long enough for a machine that is shared to take turns. */
const probeMs = 40

/**
 * Counts from now on the milliseconds that this process has a processor. They are those of the clock on an idle machine, and
 * do not grow while others want the processor too. For what computes and waits for nothing.
 */
export function countCpuMs(): () => number {
  const begun = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1_000
  }
}

/**
 * The shortest of three times that something takes, in milliseconds. A busy machine makes some of them late; what waits where
 * it should not is late each time.
 */
export async function quickestMs(run: () => Promise<unknown>): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const beganMs = performance.now()
    await run()
    quickest = Math.min(quickest, performance.now() - beganMs)
  }
  return quickest
}

/**
 * So many milliseconds of an idle machine, in those of this one at this moment: as many times more as work takes longer here
 * than its time of a processor. For what the product promises by the clock and a machine with other work cannot keep.
 */
export function stretched(ms: number): number {
  const beganMs = performance.now()
  const spentMs = countCpuMs()
  while (spentMs() < probeMs) Math.sqrt(ms)
  return ms * Math.max(1, (performance.now() - beganMs) / spentMs())
}
