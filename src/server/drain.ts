import type { Logger } from '../core/logger.ts'
import type { Timers } from '../core/timers.ts'
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

/** Stops admitting, lets running answers end, cuts what takes too long, and stops listening. */
export async function drain({ server, inFlight, timers, logger, cut }: DrainDependencies): Promise<void> {
  logger.info('drain.started', { running: inFlight.count })
  failpoint('drain.start')
  server.drain()
  if (!(await endsWithin(inFlight.idle(), drainMs, timers))) {
    logger.warn('drain.cut', { running: inFlight.count })
    cut()
    await endsWithin(inFlight.idle(), cutMs, timers)
  }
  await endsWithin(server.close(), cutMs, timers)
  logger.info('drain.ended', { running: inFlight.count })
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
