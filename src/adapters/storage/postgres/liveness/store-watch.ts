import type { Clock } from '../../../../core/clock.ts'
import type { Logger } from '../../../../core/logger.ts'
import type { Lease } from './lease.ts'

/** Whether the store can be used, found out at one place, so that requests need not find out one by one. */
export interface StoreWatch {
  /** The number of the outage that goes on, from 1; null while the store answers. */
  readonly outage: number | null
  /** The store answers, and this process holds its lease. */
  readonly mayAdmit: boolean
  /** Something failed, or takes too long: looks soon instead of at the next regular time. */
  suspect(): void
  /** Stops looking and gives the lease back, if the store answers. */
  stop(): Promise<void>
}

export interface StoreWatchOptions {
  readonly lease: Lease
  readonly leaseMs: number
  readonly clock: Pick<Clock, 'monotonic'>
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Called when an outage begins: connections may be dead without a sign. */
  readonly onDown: () => void
  /** Called when it is over: what still waits on old connections waits in vain. */
  readonly onUp: () => void
}

/** A renewal that takes longer counts as failed: it is one row of a small table. */
const beatMs = 2_000
/** From one look to the next while the store does not answer, or when somebody suspects it. */
const pauseMs = 500
/** A lease survives two renewals that fail. */
const beatsPerLease = 3

/** Rates are counted by gateways' clocks and bear a minute (see token-bucket.ts); this leaves time to act. */
const clockToleranceMs = 10_000

/** Renews the lease for as long as the process lives; whether that works is whether the store can be written. */
export function watchStore(options: StoreWatchOptions): StoreWatch {
  const { lease, leaseMs, clock, logger, onDown, onUp } = options
  let outages = 0
  let downSinceMs: number | null = null
  let timer = setTimeout(beat, leaseMs / beatsPerLease)
  let beating: Promise<void> | null = null
  let lastEndMs = clock.monotonic()
  let stopped = false
  let clockDiffers = false
  timer.unref()
  noteClock()

  function beat(): void {
    const wasHeld = lease.isHeld
    beating = within(beatMs, lease.renew())
      .then(() => succeed(wasHeld), fail)
      .catch((error: unknown) => logger.error('store.watch_failed', { error }))
      .then(() => {
        beating = null
        lastEndMs = clock.monotonic()
        plan(downSinceMs === null ? leaseMs / beatsPerLease : pauseMs)
      })
  }

  function plan(ms: number): void {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(beat, ms)
    timer.unref()
  }

  /** Says it once, and again when the clocks had agreed in between. */
  function noteClock(): void {
    const differed = clockDiffers
    clockDiffers = Math.abs(lease.aheadMs) > clockToleranceMs
    if (clockDiffers && !differed) logger.warn('store.clock_differs', { aheadMs: Math.round(lease.aheadMs) })
  }

  function succeed(wasHeld: boolean): void {
    noteClock()
    if (!wasHeld) logger.warn('store.lease_lost')
    if (downSinceMs === null) return
    logger.info('store.reachable', { outageMs: Math.round(clock.monotonic() - downSinceMs) })
    downSinceMs = null
    onUp()
  }

  function fail(error: unknown): void {
    if (downSinceMs === null) {
      downSinceMs = clock.monotonic()
      outages += 1
      logger.error('store.unreachable', { error })
    }
    // Also during an outage: a connection that came about in between may be as dead as those before.
    onDown()
  }

  return {
    get outage() {
      return downSinceMs === null ? null : outages
    },
    get mayAdmit() {
      return downSinceMs === null && lease.isHeld
    },
    suspect() {
      if (beating === null) plan(Math.max(0, lastEndMs + pauseMs - clock.monotonic()))
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await beating
      if (downSinceMs === null) await within(beatMs, lease.giveBack()).catch(ignore)
    },
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(reject, ms, new Error('the store did not answer in time'))
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A lease that is not given back is over by itself. */
function ignore(): void {
  // There is nothing left to do.
}
