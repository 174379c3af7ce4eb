import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage } from '../../src/adapters/storage/open-storage.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { newId } from '../../src/core/ids.ts'
import { Secret } from '../../src/lib/secret.ts'
import { recover } from '../../src/pipeline/recover.ts'
import { random } from '../conformance/builders.ts'
import { atEnd } from '../support/at-end.ts'
import { MemoryLogger } from '../support/memory-logger.ts'

/** The store of one gateway among others, as the gateway has it. */
export interface ReplicaStore {
  readonly processId: string
  readonly storage: Storage
  readonly logger: MemoryLogger
  /** What housekeeping does every five seconds. */
  recover(): Promise<void>
  /** As often as one likes. */
  close(): Promise<void>
}

export interface ReplicaStoreOptions {
  /** Of processes that share a data folder. Default: one of its own. */
  readonly journalFolder?: string
  /** How far the wall clock has jumped, as it does when a machine slept. */
  readonly jumpMs?: () => number
}

/** So that a test need not wait for what takes fifteen seconds. */
export const shortLeaseMs = 900

/** Opens a store under a new name, which is closed with the test. */
export async function openReplicaStore(url: string, options: ReplicaStoreOptions = {}): Promise<ReplicaStore> {
  const processId = newId('proc', random)
  const logger = new MemoryLogger()
  const storage = await openStorage({
    store: { kind: 'postgres', url: new Secret(url) },
    secret: Buffer.alloc(32, 7),
    clock: { ...systemClock, now: () => systemClock.now() + (options.jumpMs?.() ?? 0) },
    random,
    logger,
    mode: 'gateway',
    replica: { processId, leaseMs: shortLeaseMs, journalFolder: options.journalFolder ?? makeJournalFolder() },
    onFatal(error) {
      throw error
    },
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= storage.close()
    return closing
  }
  atEnd(close)
  const { ledger, idempotency } = storage
  return {
    processId,
    storage,
    logger,
    close,
    recover: () => recover({ ledger, idempotency, clock: systemClock, logger, processId, idempotencyHours: 24 }),
  }
}

export function makeJournalFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-journal-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
