import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Timers } from '../core/timers.ts'
import type { IdempotencyStore } from '../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { FailureStore } from '../domain/limits/failure-store.ts'
import type { Limit } from '../domain/limits/types.ts'
import type { UsageStore } from '../domain/usage/usage-store.ts'

/** A hold that outlives its deadline by this is resolved by the sweeper (money.md §2). */
const sweepGraceMs = 60_000
const sweepEveryMs = 10_000
const pruneEveryMs = 600_000
/** Within this after its lease is over, what a dead gateway left open is resolved. */
const recoverEveryMs = 5_000
const prunedAtOnce = 1_000
/** Settlements come in between; with this many a busy day is gone in an hour. */
const pruneRoundsMax = 100
const prepareEveryMs = 3_600_000
const dayMs = 86_400_000

export interface HousekeepingDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  readonly ledger: LedgerStore
  readonly usage: UsageStore
  readonly idempotency: IdempotencyStore
  readonly failures: Pick<FailureStore, 'prune'>
  readonly usageDays: () => Limit
  /** Resolves what gateways left open that died while this one runs; for a store with many. */
  readonly recover?: () => Promise<void>
}

/** Starts what has to be done from time to time; the returned function stops it. Each task begins after its last run ended. */
export function startHousekeeping(dependencies: HousekeepingDependencies): () => void {
  const { clock, logger, ledger, usage, recover } = dependencies
  const stops = [
    repeat(dependencies, { name: 'prepare', firstMs: 0, everyMs: prepareEveryMs }, () =>
      usage.prepareDays(clock.now()),
    ),
    repeat(dependencies, { name: 'sweep', everyMs: sweepEveryMs }, async () => {
      const { charged, released } = await ledger.sweep(clock.now(), sweepGraceMs)
      if (charged + released > 0) logger.warn('ledger.swept', { charged, released })
    }),
    ...(recover === undefined ? [] : [repeat(dependencies, { name: 'recover', everyMs: recoverEveryMs }, recover)]),
    repeat(dependencies, { name: 'prune', everyMs: pruneEveryMs }, () => prune(dependencies)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function prune({ clock, usage, idempotency, failures, usageDays }: HousekeepingDependencies): Promise<void> {
  await idempotency.prune(clock.now(), prunedAtOnce)
  await inRounds(() => failures.prune(clock.now(), prunedAtOnce))
  const days = usageDays()
  if (days === 'unlimited') return
  await inRounds(() => usage.prune(clock.now() - days * dayMs, prunedAtOnce))
}

/** Until there is nothing left, or it is enough for this time. */
async function inRounds(prune: () => Promise<number>): Promise<void> {
  for (let round = 0; round < pruneRoundsMax; round++) if ((await prune()) === 0) return
}

function repeat(
  { timers, logger }: HousekeepingDependencies,
  task: { name: string; firstMs?: number; everyMs: number },
  run: () => Promise<void>,
): () => void {
  let stopped = false
  let cancel = timers.after(task.firstMs ?? task.everyMs, start)
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
