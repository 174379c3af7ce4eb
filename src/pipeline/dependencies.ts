import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Amount } from '../core/money.ts'
import type { Random } from '../core/random.ts'
import type { AdmissionStore } from '../domain/admission/admission-store.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { Characters } from '../domain/characters/characters.ts'
import type { Engines } from '../domain/engines/engines.ts'
import type { IdempotencyStore } from '../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { ErrorBudgets } from '../domain/limits/error-budgets.ts'
import type { Limits } from '../domain/limits/limits.ts'
import type { RefusalLog } from '../domain/limits/refusal-log.ts'
import type { Limit } from '../domain/limits/types.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'
import type { DrainCut } from './drain-cut.ts'
import type { GroundingTools } from './grounding/grounding-tools.ts'
import type { PageAllowance } from './grounding/plan-grounding.ts'
import type { MediaTools } from './media/media-tools.ts'

/** What an operator may change while the gateway runs; read once per request. */
export interface CompletionSettings {
  readonly overdraftNano: Amount
  readonly accountConcurrency: Limit
  readonly freeFailuresPerHour: Limit
  readonly billPartial: 'none' | 'delivered'
  readonly idempotencyHours: number
  /** The operator's own system prompt, for surfaces that have one; empty for none. */
  readonly housePrompt: string
  /** Ids of the engines that may be handed callers' addresses (operator.md §3 `fetchesUrls`). */
  readonly urlFetchers: ReadonlySet<string>
  /** Ids of the engines that search X by themselves when they are told to. */
  readonly xSearchers: ReadonlySet<string>
  readonly pages: PageAllowance
  /** Which language each engine speaks, by its id. */
  readonly engineKinds: ReadonlyMap<string, string>
}

/** Everything that a completion is made of. Only app.ts knows what stands behind the ports. */
export interface CompletionDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly catalog: Catalog
  readonly characters: Characters
  readonly limits: Limits
  readonly refusals: Pick<RefusalLog, 'note'>
  readonly errorBudgets: Pick<ErrorBudgets, 'budget' | 'note'>
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
  readonly media: MediaTools
  readonly grounding: GroundingTools
}
