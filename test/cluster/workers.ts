import type { Gateway } from '../support/gateway/index.ts'
import { readLog } from '../support/gateway/log-lines.ts'
import { waitFor } from '../support/wait-for.ts'

/** Process ids by place, as the log of the running gateway tells them: of each place the worker that became ready last. */
export function workersOf(gateway: Gateway): ReadonlyMap<number, number> {
  const ready = readLog(gateway.process.output).filter(({ event }) => event === 'worker.ready')
  return new Map(ready.map(({ worker, pid }) => [Number(worker), Number(pid)]))
}

/** Resolves when so many workers serve: the gateway is ready with the first. */
export async function waitForWorkers(gateway: Gateway, count: number): Promise<void> {
  await waitFor(`${count} workers`, () => workersOf(gateway).size === count, { withinMs: 60_000 })
}

/** Process ids of all workers that the running gateway ever started. */
export function everyWorkerOf(gateway: Gateway): readonly number[] {
  const started = readLog(gateway.process.output).filter(({ event }) => event === 'worker.started')
  return started.map(({ pid }) => Number(pid))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Kills the worker of a place as the system does when memory is short. Gives its process id. */
export function killWorker(gateway: Gateway, place: number): number {
  const pid = workersOf(gateway).get(place)
  if (pid === undefined) throw new Error(`there is no worker ${place}`)
  process.kill(pid, 'SIGKILL')
  return pid
}

/** Resolves when another worker serves in the place of this one. */
export async function waitForSuccessor(gateway: Gateway, place: number, pid: number): Promise<void> {
  await waitFor(`another worker ${place}`, () => (workersOf(gateway).get(place) ?? pid) !== pid, { withinMs: 60_000 })
}
