import { reservePort } from '../../adapters/cluster/reserve-port.ts'
import type { Config } from '../../config/config.ts'
import type { FoundEngine } from '../../core/found-engine.ts'
import { createWorkerGroup } from '../../domain/workers/worker-group.ts'
import type { ConfigFile } from '../installation-config.ts'
import type { Installation } from '../open-installation.ts'
import { createCrew } from './crew.ts'
import { openOwnStore } from './own-store.ts'
import type { WorkerStarted } from './protocol.ts'

export interface WorkersOptions {
  /** How many, at least 1. */
  readonly count: number
  readonly version: string
  readonly installation: Installation
  /** What is in force for the gateway as a whole. */
  readonly config: Config
  readonly gguf: FoundEngine | null
  /** Told once, with the last reason, when no worker can be started any more. */
  readonly onHopeless: (reason: string) => void
}

/** A gateway of several processes, seen from the first one, which serves nothing itself. */
export interface Workers extends WorkerStarted {
  /** Has all workers take over another configuration; one that does not is replaced. Resolves when all have been told. */
  reload(config: Config, file: ConfigFile): Promise<void>
  /** Replaces all workers, one after the other, while requests run. */
  replaceAll(): void
  /** Ends orderly. Resolves when the process may exit. */
  close(): Promise<void>
}

/** Takes the port, opens the store where it is one for all, and starts the workers. @throws Error when they do not start */
export async function startWorkers({ config, onHopeless, ...options }: WorkersOptions): Promise<Workers> {
  const { count, installation } = options
  const { clock, timers, logger } = installation.ground
  const state = { config }
  const listen = { host: config.server.host, port: await reservePort(config.server) }
  // Processes share a server of PostgreSQL without help.
  const isOne = config.store.kind === 'sqlite'
  const store = isOne ? await openOwnStore(config.store.path, installation.ground, () => state.config) : null
  const crew = createCrew({ ...options, listen, store })
  const group = createWorkerGroup({ count, launch: crew.launch, clock, timers, logger, onHopeless })

  async function close(): Promise<void> {
    await group.close()
    await crew.end()
    await store?.close()
  }

  try {
    await group.start()
  } catch (error) {
    await close()
    throw error
  }
  const { first } = crew
  if (first === null) throw new Error('all workers are ready, and none has said so')
  return {
    ...first,
    reload(next, file) {
      state.config = next
      return crew.reload(file, place => group.replace(place))
    },
    replaceAll: () => group.replaceAll(),
    close,
  }
}
