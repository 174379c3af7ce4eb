import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Random } from '../core/random.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { Characters } from '../domain/characters/characters.ts'
import type { Engines } from '../domain/engines/engines.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import type { Stakes } from '../domain/identity/stakes.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { ErrorBudgets } from '../domain/limits/error-budgets.ts'
import type { Limits } from '../domain/limits/limits.ts'
import type { RefusalLog } from '../domain/limits/refusal-log.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'
import type { UsageStore } from '../domain/usage/usage-store.ts'
import type { EngineDrains } from '../pipeline/drain-engine.ts'
import type { DocumentParser } from '../pipeline/parse-document.ts'
import type { Completions } from '../pipeline/run-completion.ts'
import type { PageSales } from '../pipeline/sell-page.ts'
import type { SearchSales } from '../pipeline/sell-search.ts'
import type { Callers } from './callers.ts'

export interface RouteSettings {
  /** Who owns models and characters, as lists say. */
  readonly ownedBy: string
  /** Begins every API key. */
  readonly keyPrefix: string
  /** Whether wallets may make accounts. */
  readonly selfService: boolean
}

/** What the routes are made of: ports and domain objects, never adapters. */
export interface ServerDependencies {
  readonly clock: Clock
  /** Where callers reach the gateway, without a trailing slash. */
  readonly publicUrl: string
  readonly callers: Callers
  /** When the program was built, in wall-clock milliseconds. */
  readonly builtAtMs: number
  readonly random: Random
  readonly logger: Logger
  readonly identity: Identity
  readonly identityStore: IdentityStore
  readonly stakes: Stakes
  readonly ledger: LedgerStore
  readonly usage: UsageStore
  readonly catalog: Catalog
  readonly characters: Characters
  readonly documentParser: DocumentParser
  readonly searchSales: SearchSales
  readonly pageSales: PageSales
  readonly limits: Limits
  readonly refusals: Pick<RefusalLog, 'list'>
  readonly errorBudgets: ErrorBudgets
  readonly engines: Engines
  readonly engineDrains: Pick<EngineDrains, 'set'>
  readonly completions: Completions
  readonly observer: CompletionObserver
  /** What an operator may change while the gateway runs; read once per request. */
  readonly settings: () => RouteSettings
  /** The installation's secret, under which keys are hashed and tokens are signed. */
  readonly secret: Buffer
  /** Rejects when the store cannot answer. */
  readonly storeHealth: () => Promise<void>
  readonly isOperator: (authorization: string | undefined) => boolean
  /** The metrics page in Prometheus' text format. */
  readonly metricsPage: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** Where metrics are served without a token; null for the main port with one. */
  readonly metricsListen: { readonly host: string; readonly port: number } | null
}
