import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { IdempotencyStore } from '../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'

const hourMs = 3_600_000

export interface RecoveryDependencies {
  readonly ledger: LedgerStore
  readonly idempotency: IdempotencyStore
  readonly clock: Clock
  readonly logger: Logger
  readonly processId: string
  readonly idempotencyHours: number
}

/**
 * Resolves what dead processes left open, first the money, then the keys that depend on it (money.md §2): before ready, and
 * where many gateways share a store from time to time.
 */
export async function recover({
  ledger,
  idempotency,
  clock,
  logger,
  processId,
  idempotencyHours,
}: RecoveryDependencies): Promise<void> {
  const { charged, released } = await ledger.recover(processId, clock.now())
  await idempotency.recover(processId, clock.now() + idempotencyHours * hourMs)
  if (charged + released > 0) logger.warn('ledger.recovered', { charged, released })
}

export interface DeathDependencies extends Omit<RecoveryDependencies, 'processId'> {
  /** Of the process that died; nothing of it may still be on its way to the store. */
  readonly deadProcessId: string
}

/** While others run on: resolves what one process left open when it died, in the same order. */
export async function recoverFrom(dependencies: DeathDependencies): Promise<void> {
  const { ledger, idempotency, clock, logger, deadProcessId, idempotencyHours } = dependencies
  const { charged, released } = await ledger.recoverFrom(deadProcessId, clock.now())
  await idempotency.recoverFrom(deadProcessId, clock.now() + idempotencyHours * hourMs)
  if (charged + released > 0) logger.warn('ledger.recovered', { charged, released })
}
