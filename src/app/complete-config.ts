import type { Config } from '../config/config.ts'
import { withGgufEngine } from '../config/with-gguf-engine.ts'
import type { FoundEngine } from '../core/found-engine.ts'
import { sharePlaces, type WorkerPlace } from '../domain/workers/share-places.ts'

/** What a process knows beside the file; it wins over the file, also when the file is read again. */
export interface Overrides {
  /** Of the command line. */
  readonly listen: { readonly host?: string; readonly port?: number }
  /** The model that this gateway runs itself; null for none. */
  readonly gguf: FoundEngine | null
  /** Null for a gateway of one process. */
  readonly worker: WorkerPlace | null
}

/**
 * The configuration that is in force in a process. Its share of an engine's places and of the children that read files is
 * taken here, so that all workers together ask no more than the file says.
 * @throws Error when the model of --gguf has a name that the file uses
 */
export function completeConfig(config: Config, overrides: Overrides, startedSeconds: number): Config {
  const { listen, gguf, worker } = overrides
  const listening = { ...config, server: { ...config.server, ...listen } }
  const whole = gguf === null ? listening : withGgufEngine(listening, gguf, startedSeconds)
  return worker === null ? whole : shareOf(whole, worker)
}

function shareOf(config: Config, worker: WorkerPlace): Config {
  const engines = config.engines.map(engine => ({
    ...engine,
    maxConcurrency: sharePlaces(engine.maxConcurrency, worker),
  }))
  const { maxChildren } = config.documents
  const documents = { ...config.documents, maxChildren: maxChildren === 0 ? 0 : sharePlaces(maxChildren, worker) }
  return { ...config, engines, documents }
}
