import type { Storage } from '../adapters/storage/storage.ts'
import type { Config } from '../config/config.ts'
import type { Engines } from '../domain/engines/engines.ts'
import { drainsDocument } from '../domain/replicas/engine-drains.ts'
import { followDocuments } from '../domain/replicas/follow-documents.ts'
import { configurationDocument } from '../domain/replicas/published-configuration.ts'
import type { SharedDocument } from '../domain/replicas/types.ts'
import { createEngineDrains, type EngineDrains } from '../pipeline/drain-engine.ts'
import type { Ground } from './ground.ts'
import type { LoadedConfig, OwnConfig } from './own-config.ts'
import { type SharedConfiguration, shareConfiguration } from './share-configuration.ts'

export interface ReplicaParts {
  readonly storage: Pick<Storage, 'documents' | 'watchDocuments'>
  readonly engines: Engines
  readonly own: OwnConfig
  readonly ground: Ground
  /** Puts a configuration into force here. */
  readonly reload: (config: Config) => Promise<void>
}

/** One of the gateways of an installation: what changes for all of them changes here. */
export interface Replica {
  readonly engineDrains: EngineDrains
  /** Takes over what holds for all, before this gateway serves, and keeps in step from then on. @throws StoreUnavailable */
  follow(): Promise<void>
  /** Once this gateway serves: publishes its own file where it says something new. @throws StoreUnavailable */
  announce(): Promise<void>
  /** Takes what this gateway's file says now: for all gateways where they share a store, else for this one. */
  change(next: LoadedConfig): Promise<void>
  leave(): Promise<void>
}

/** Several hosts follow one published configuration; processes on the file of SQLite lie on one host and read one file. */
export function joinReplicas(parts: ReplicaParts): Replica {
  const { storage, engines, ground, reload } = parts
  const { documents } = storage
  const { clock, timers, logger } = ground
  const refresh = () => follower.refresh()
  const engineDrains = createEngineDrains({ documents, engines, logger, refresh })
  const configuration = shareWhereShared(parts, refresh)
  const follower = followDocuments({
    ...{ documents, clock, timers, logger },
    watch: storage.watchDocuments,
    async apply(document: SharedDocument) {
      if (document.name === drainsDocument) engineDrains.apply(document)
      if (document.name === configurationDocument) await configuration?.apply(document)
    },
  })
  return {
    engineDrains,
    async follow() {
      await follower.refresh()
      follower.start()
    },
    async announce() {
      await configuration?.announce()
    },
    change: next => (configuration === null ? reload(next.config) : configuration.change(next)),
    async leave() {
      configuration?.stop()
      await follower.stop()
    },
  }
}

function shareWhereShared(
  { storage, own, ground, reload }: ReplicaParts,
  refresh: () => Promise<void>,
): SharedConfiguration | null {
  const { config, file, load } = own
  if (config.store.kind !== 'postgres' || file === null) return null
  const { logger, timers } = ground
  const { documents } = storage
  return shareConfiguration({ own: { config, file }, ...{ documents, load, logger, timers, reload, refresh } })
}
