import type { AddressInfo } from 'node:net'
import type { SharedGroup, SharedResults } from '../../adapters/storage/shared/share-clients.ts'
import type { MetricsFigures, MetricsPage } from '../../adapters/telemetry/prometheus-metrics.ts'
import type { FoundEngine } from '../../core/found-engine.ts'
import type { EndMode } from '../../domain/workers/worker-process.ts'
import { Secret } from '../../lib/secret.ts'
import type { FirstRun } from '../../pipeline/first-run.ts'
import type { ConfigFile } from '../installation-config.ts'

/** What the first process of a gateway can be asked by its workers. */
export type PrimaryAnswers = {
  /** The worker's version, which must be that of the first process: their words must mean the same. */
  join: (version: string) => WorkerStart
  ready: (started: WorkerStarted) => null
  /** Instead of `ready`: why it cannot serve. */
  failed: (reason: string) => null
  store: (shared: SharedGroup) => SharedResults
  /** The figures of the whole gateway. */
  metrics: (nothing: null) => MetricsPage
  /** A worker's last figures, when it has nothing more to do. */
  leave: (figures: MetricsFigures) => null
}

/** What a worker can be asked by the first process. */
export type WorkerAnswers = {
  reload: (file: ConfigFile) => null
  figures: (nothing: null) => MetricsFigures
  end: (mode: EndMode) => null
  /** Resolves what another worker left open that is gone; asked where each worker opens the store by itself. */
  recoverFrom: (deadProcessId: string) => null
}

/** What a worker begins with. Everything else it finds in the same environment and folders as the first process. */
export interface WorkerStart {
  /** Counted from 1. */
  readonly place: number
  /** How many workers there are. */
  readonly count: number
  readonly processId: string
  /** As it was last found good; null for none. */
  readonly file: ConfigFile | null
  readonly found: readonly PlainEngine[]
  readonly gguf: PlainEngine | null
  readonly listen: { readonly host: string; readonly port: number }
  /** True when the first process holds the store open for all. */
  readonly storeIsShared: boolean
}

export interface WorkerStarted {
  readonly address: AddressInfo
  /** Null when the installation was set up before. */
  readonly firstRun: FirstRun | null
}

/** A found engine as it travels between processes of one gateway, which keep a secret alike. */
type PlainEngine = Omit<FoundEngine, 'apiKey'> & { readonly apiKey: string | null }

export function encodeEngine(engine: FoundEngine): PlainEngine {
  return { ...engine, apiKey: engine.apiKey?.reveal() ?? null }
}

export function decodeEngine(engine: PlainEngine): FoundEngine {
  return { ...engine, apiKey: engine.apiKey === null ? null : new Secret(engine.apiKey) }
}
