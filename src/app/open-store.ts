import { openStorage, type Storage, type StorageMode } from '../adapters/storage/open-storage.ts'
import type { Config } from '../config/config.ts'
import type { Ground } from './ground.ts'

/** The store of an installation, for commands that work beside a running gateway or without one. */
export function openStore(config: Config, ground: Ground, mode: StorageMode): Promise<Storage> {
  const { secret, clock, random, logger, onFatal } = ground
  return openStorage({ store: config.store, secret, clock, random, logger, mode, onFatal })
}
