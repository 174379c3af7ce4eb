import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Amount } from '../core/money.ts'
import type { Random } from '../core/random.ts'
import type { AdmissionStore } from '../domain/admission/admission-store.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { Engines } from '../domain/engines/engines.ts'
import type { IdempotencyStore } from '../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { Limits } from '../domain/limits/limits.ts'
import type { Limit } from '../domain/limits/types.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'
import type { DrainCut } from './drain-cut.ts'

/** What an operator may change while the gateway runs; read once per request. */
export interface CompletionSettings {
  readonly overdraftNano: Amount
  readonly accountConcurrency: Limit
  readonly freeFailuresPerHour: Limit
  readonly billPartial: 'none' | 'delivered'
  readonly idempotencyHours: number
}

/** Everything that a completion is made of. Only app.ts knows what stands behind the ports. */
export interface CompletionDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly catalog: Catalog
  readonly limits: Limits
  readonly engines: Engines
  readonly admission: AdmissionStore
  readonly ledger: LedgerStore
  readonly idempotency: IdempotencyStore
  readonly observer: CompletionObserver
  readonly settings: () => CompletionSettings
  /** Identifies this process in holds, so that another start can tell the dead from the living. */
  readonly processId: string
  /** Keys the hash that stands in for callers' cache names (venym.md §2.4). */
  readonly cacheKeySecret: Buffer
  readonly drainCut: DrainCut
}
