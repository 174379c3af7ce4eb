import type { Logger } from '../core/logger.ts'
import type { Timers } from '../core/timers.ts'
import type { EndMode } from '../domain/workers/worker-process.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { InFlight } from '../pipeline/in-flight.ts'
import type { GatewayServer } from './server.ts'

/** Streams may run on for this long after a drain began; what is left is cut and not charged (operator.md §5). */
const drainMs = 120_000

/** What was cut gets this long to settle and to say goodbye. */
const cutMs = 10_000

export interface DrainDependencies {
  readonly server: GatewayServer
  readonly inFlight: InFlight
  readonly timers: Timers
  readonly logger: Logger
  /** Cuts everything that still runs. */
  readonly cut: () => void
}

export interface DrainMode {
  readonly mode: EndMode
  /** Resolves when the others end too, to whom this gateway hands over: then it does not wait for idle callers. */
  readonly hurried: Promise<void>
}

/**
 * Lets running answers end, cuts what takes too long, and stops listening. New requests are turned away, or, where others
 * on the same port go on, answered as long as somebody's connection is open.
 */
export async function drain(dependencies: DrainDependencies, { mode, hurried }: DrainMode): Promise<void> {
  const { server, inFlight, timers, logger, cut } = dependencies
  logger.info('drain.started', { running: inFlight.count, mode })
  failpoint('drain.start')
  const waitMs = mode === 'drain' ? drainMs : await handOver(dependencies, hurried)
  server.drain()
  if (!(await endsWithin(inFlight.idle(), waitMs, timers))) {
    logger.warn('drain.cut', { running: inFlight.count })
    cut()
    await endsWithin(inFlight.idle(), cutMs, timers)
  }
  await endsWithin(server.close(), cutMs, timers)
  logger.info('drain.ended', { running: inFlight.count })
}

/** Resolves when the last caller has gone, with the time that running answers still have. */
async function handOver({ server, timers }: DrainDependencies, hurried: Promise<void>): Promise<number> {
  const isOver = await endsWithin(Promise.race([server.leave(), hurried]), drainMs, timers)
  return isOver ? drainMs : 0
}

async function endsWithin(work: Promise<void>, ms: number, timers: Timers): Promise<boolean> {
  let cancel: () => void = () => undefined
  const late = new Promise<boolean>(resolve => {
    cancel = timers.after(ms, () => resolve(false))
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    cancel()
  }
}
