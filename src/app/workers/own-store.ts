import { type SharedGroup, type SharedResults, shareClients } from '../../adapters/storage/shared/share-clients.ts'
import { openSqliteStorage } from '../../adapters/storage/sqlite/open-sqlite.ts'
import type { Config } from '../../config/config.ts'
import { newId } from '../../core/ids.ts'
import { startHousekeeping } from '../../pipeline/housekeeping.ts'
import { recover, recoverFrom } from '../../pipeline/recover.ts'
import { settingsOf } from '../completion-settings.ts'
import type { Ground } from '../ground.ts'

/** The store in a file, which one process of a gateway holds open for all. */
export interface OwnStore {
  /** Runs a group of a worker. */
  run(shared: SharedGroup): Promise<SharedResults>
  /** Resolves what a worker left open that is gone. Rejects when the store takes nothing now. */
  recoverFrom(deadProcessId: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens it as the only gateway on it, resolves what a gateway before left open, and clears up from time to time.
 * `config` gives the configuration in force.
 */
export async function openOwnStore(path: string, ground: Ground, config: () => Config): Promise<OwnStore> {
  const { secret, clock, random, timers, logger, onFatal } = ground
  const storage = await openSqliteStorage({ path, secret, clock, random, logger, mode: 'gateway', onFatal })
  const { ledger, idempotency, usage, failures } = storage
  const { idempotencyHours } = settingsOf(config())
  const recovery = { ledger, idempotency, clock, logger, idempotencyHours }
  await recover({ ...recovery, processId: newId('proc', random) })
  const usageDays = () => config().retention.usageDays
  const stopHousekeeping = startHousekeeping({
    ...{ clock, timers, logger, ledger, usage, idempotency, failures, usageDays },
  })

  return {
    run: shareClients(storage.clients),
    recoverFrom: deadProcessId => recoverFrom({ ...recovery, deadProcessId }),
    async close() {
      stopHousekeeping()
      await storage.close()
    },
  }
}
