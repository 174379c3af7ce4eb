import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '../../../core/clock.ts'
import type { Logger } from '../../../core/logger.ts'
import type { Random } from '../../../core/random.ts'
import { armedFailpoint } from '../../../lib/failpoint.ts'
import { programFile } from '../../../lib/program-file.ts'
import { createClientStores } from '../groups/client-stores.ts'
import { createGroupClient } from '../groups/group-client.ts'
import type { GroupChannel } from '../groups/group-sender.ts'
import type { StoreClients } from '../groups/store-proxies.ts'
import { createWriterClient } from '../groups/writer-client.ts'
import { createSeal } from '../sql/seal.ts'
import type { Storage, StorageMode } from '../storage.ts'
import { createLazyChannel } from './threads/lazy-channel.ts'
import type { LedgerWorkerStart, WorkerStart } from './threads/protocol.ts'
import { openWorkerChannel } from './threads/worker-channel.ts'

export interface SqliteStorageOptions {
  /** A file's path, or `:memory:` for a store that is gone when it is closed. */
  readonly path: string
  readonly secret: Buffer
  readonly clock: Clock
  readonly random: Random
  readonly logger: Pick<Logger, 'info' | 'error'>
  readonly mode: StorageMode
  readonly onFatal: (error: Error) => void
}

/** A store whose clients other processes of this gateway may use as well (see ../shared). */
export interface SqliteStorage extends Storage {
  readonly clients: StoreClients
}

/** @throws Error when the file cannot be opened, is newer than this version, or belongs to a running gateway. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<SqliteStorage> {
  const { random, secret } = options
  const files = placeFiles(options.path)
  const clients = await openClients(options, files.path)
  return {
    ...createClientStores(clients, createSeal(secret, random)),
    clients,
    async close() {
      await Promise.all([clients.reader.close(), clients.reports.close()])
      await clients.writer.close()
      files.remove()
    },
  }
}

async function openClients(options: SqliteStorageOptions, path: string): Promise<StoreClients> {
  const { clock, logger, mode, onFatal } = options
  const start: WorkerStart = { path, failpoint: armedFailpoint() }
  const ledgerStart: LedgerWorkerStart = { ...start, lock: mode === 'gateway', nowMs: clock.now() }
  const openLedger = () => openWorkerChannel({ file: programFile('ledger-thread'), start: ledgerStart, onFatal })
  const openReader = () => openWorkerChannel({ file: programFile('reader-thread'), start, onFatal })

  const [ledgerChannel, readerChannel] = await openBoth(openLedger(), openReader())
  const writer = createWriterClient({
    channel: ledgerChannel,
    clock,
    onStuck(stuck) {
      if (stuck) logger.error('store.write_failed')
      else logger.info('store.write_recovered')
    },
    onError: error => logger.error('store.release_failed', { error }),
  })
  const reader = createGroupClient({ channel: readerChannel, clock })
  const reports = createGroupClient({ channel: createLazyChannel(openReader), clock })
  return { writer, reader, reports }
}

/** Both or none: a thread whose neighbour could not start is ended again. */
async function openBoth(
  ledger: Promise<GroupChannel>,
  reader: Promise<GroupChannel>,
): Promise<readonly [GroupChannel, GroupChannel]> {
  try {
    return await Promise.all([ledger, reader])
  } catch (error) {
    const started = await Promise.allSettled([ledger, reader])
    for (const result of started) {
      if (result.status === 'fulfilled') await result.value.close()
    }
    throw error
  }
}

interface StoreFiles {
  readonly path: string
  remove(): void
}

/** Threads share a store through its file, so one in memory is a file in a folder of its own. */
function placeFiles(path: string): StoreFiles {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true })
    return { path, remove: () => undefined }
  }
  const folder = mkdtempSync(join(tmpdir(), 'rialto-'))
  return { path: join(folder, 'rialto.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
