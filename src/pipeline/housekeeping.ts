import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Timers } from '../core/timers.ts'
import type { IdempotencyStore } from '../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { Limit } from '../domain/limits/types.ts'
import type { UsageStore } from '../domain/usage/usage-store.ts'

/** A hold that outlives its deadline by this is resolved by the sweeper (money.md §2). */
const sweepGraceMs = 60_000
const sweepEveryMs = 10_000
const pruneEveryMs = 600_000
const prunedAtOnce = 1_000
const dayMs = 86_400_000

export interface HousekeepingDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  readonly ledger: LedgerStore
  readonly usage: UsageStore
  readonly idempotency: IdempotencyStore
  readonly usageDays: () => Limit
}

/** Starts what has to be done from time to time; the returned function stops it. Each task begins after its last run ended. */
export function startHousekeeping(dependencies: HousekeepingDependencies): () => void {
  const { clock, logger, ledger } = dependencies
  const stops = [
    repeat(dependencies, { name: 'sweep', everyMs: sweepEveryMs }, async () => {
      const { charged, released } = await ledger.sweep(clock.now(), sweepGraceMs)
      if (charged + released > 0) logger.warn('ledger.swept', { charged, released })
    }),
    repeat(dependencies, { name: 'prune', everyMs: pruneEveryMs }, () => prune(dependencies)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function prune({ clock, usage, idempotency, usageDays }: HousekeepingDependencies): Promise<void> {
  await idempotency.prune(clock.now(), prunedAtOnce)
  const days = usageDays()
  if (days !== 'unlimited') await usage.prune(clock.now() - days * dayMs, prunedAtOnce)
}

function repeat(
  { timers, logger }: HousekeepingDependencies,
  task: { name: string; everyMs: number },
  run: () => Promise<void>,
): () => void {
  let stopped = false
  let cancel = timers.after(task.everyMs, start)
  function start(): void {
    run()
      .catch((error: unknown) => logger.error('housekeeping.failed', { task: task.name, error }))
      .finally(() => {
        if (!stopped) cancel = timers.after(task.everyMs, start)
      })
      .catch((error: unknown) => logger.error('housekeeping.failed', { task: task.name, error }))
  }
  return () => {
    stopped = true
    cancel()
  }
}
