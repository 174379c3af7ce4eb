import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Random } from '../core/random.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { Engines } from '../domain/engines/engines.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'
import type { UsageStore } from '../domain/usage/usage-store.ts'
import type { Completions } from '../pipeline/run-completion.ts'

/** What the routes are made of: ports and domain objects, never adapters. */
export interface ServerDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly identity: Identity
  readonly identityStore: IdentityStore
  readonly ledger: LedgerStore
  readonly usage: UsageStore
  readonly catalog: Catalog
  readonly engines: Engines
  readonly completions: Completions
  readonly observer: CompletionObserver
  /** Rejects when the store cannot answer. */
  readonly storeHealth: () => Promise<void>
  readonly isOperator: (authorization: string | undefined) => boolean
  /** The metrics page in Prometheus' text format. */
  readonly metricsPage: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** Where metrics are served without a token; null for the main port with one. */
  readonly metricsListen: { readonly host: string; readonly port: number } | null
}
