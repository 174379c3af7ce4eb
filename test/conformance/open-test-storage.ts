import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStorageOptions, StorageMode } from '../../src/adapters/storage/open-storage.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { newId } from '../../src/core/ids.ts'
import { Secret } from '../../src/lib/secret.ts'
import { atEnd } from '../support/at-end.ts'
import { random } from './builders.ts'
import { openStore } from './open-store.ts'

export { addCustomer, openSqlite } from './open-store.ts'

/** Opens a store for one test; the suites in this folder hold for whatever it is made of. */
export type OpenStorage = () => Promise<Storage>

export function openPostgres(url: string, mode: StorageMode = 'gateway'): Promise<Storage> {
  const replica = mode === 'gateway' ? makeReplica() : undefined
  return openStore({ kind: 'postgres', url: new Secret(url) }, { mode, replica })
}

/** A gateway of its own name, with nothing in its journal. */
function makeReplica(): OpenStorageOptions['replica'] {
  const journalFolder = mkdtempSync(join(tmpdir(), 'rialto-test-'))
  atEnd(() => rm(journalFolder, { recursive: true }))
  return { processId: newId('proc', random), journalFolder }
}
