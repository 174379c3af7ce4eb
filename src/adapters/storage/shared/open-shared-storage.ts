import type { Clock } from '../../../core/clock.ts'
import type { Logger } from '../../../core/logger.ts'
import type { Random } from '../../../core/random.ts'
import { createClientStores } from '../groups/client-stores.ts'
import { createGroupClient } from '../groups/group-client.ts'
import type { GroupChannel } from '../groups/group-sender.ts'
import type { StoreClients } from '../groups/store-proxies.ts'
import { decodeResult, encodeOperation } from '../groups/wire/group-wire.ts'
import { createWriterClient } from '../groups/writer-client.ts'
import { createSeal } from '../sql/seal.ts'
import type { Storage } from '../storage.ts'
import type { SharedGroup, SharedResults } from './share-clients.ts'

export interface SharedStorageOptions {
  /** Has the process that opened the store run a group. Rejects when that process is gone. */
  readonly run: (shared: SharedGroup) => Promise<SharedResults>
  readonly secret: Buffer
  readonly clock: Clock
  readonly random: Random
  readonly logger: Pick<Logger, 'info' | 'error'>
}

/**
 * A store that another process of this gateway has open. This one has its own queues, deadlines and kept settlements, so
 * that it bears a slow owner; recovery and clearing up are the owner's, and are done here by doing nothing.
 */
export function openSharedStorage(options: SharedStorageOptions): Storage {
  const clients = createClients(options)
  const { ledger, usage, idempotency, failures, ...stores } = createClientStores(
    clients,
    createSeal(options.secret, options.random),
  )
  return {
    ...stores,
    ledger: { ...ledger, recover: nothingRecovered, recoverFrom: nothingRecovered, sweep: nothingRecovered },
    usage: { ...usage, prune: nothingPruned },
    failures: { ...failures, prune: nothingPruned },
    idempotency: { ...idempotency, recover: doNothing, recoverFrom: doNothing, prune: nothingPruned },
    async close() {
      await Promise.all([clients.reader.close(), clients.reports.close()])
      await clients.writer.close()
    },
  }
}

function createClients({ run, clock, logger }: SharedStorageOptions): StoreClients {
  const channel = (client: keyof StoreClients): GroupChannel => ({
    run: async group => (await run({ client, group: group.map(encodeOperation) })).map(decodeResult),
    // It belongs to the process as a whole.
    close: doNothing,
  })
  return {
    writer: createWriterClient({
      channel: channel('writer'),
      clock,
      onStuck(stuck) {
        if (stuck) logger.error('store.write_failed')
        else logger.info('store.write_recovered')
      },
      onError: error => logger.error('store.release_failed', { error }),
    }),
    reader: createGroupClient({ channel: channel('reader'), clock }),
    reports: createGroupClient({ channel: channel('reports'), clock }),
  }
}

const nothingRecovered = async () => ({ charged: 0, released: 0 })
const nothingPruned = async () => 0
const doNothing = async () => undefined
