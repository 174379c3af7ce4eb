import { join } from 'node:path'
import { openStorage, type Storage } from '../adapters/storage/open-storage.ts'
import type { Config } from '../config/config.ts'
import type { Ground } from './ground.ts'

/** Within the data folder: settlements that PostgreSQL could not take yet. */
const journalFolder = 'journal'

/** Commands work beside a running gateway or without one; a gateway names itself in what it leaves open. */
export type StoreUser = 'command' | { readonly processId: string }

/** The store of an installation. */
export function openStore(config: Config, ground: Ground, user: StoreUser): Promise<Storage> {
  const { secret, clock, random, logger, onFatal, dataFolder } = ground
  const parts = { store: config.store, secret, clock, random, logger, onFatal }
  if (user === 'command') return openStorage({ ...parts, mode: 'command' })
  const replica = { processId: user.processId, journalFolder: join(dataFolder, journalFolder) }
  return openStorage({ ...parts, mode: 'gateway', replica })
}
