import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Documents, type DocumentsOptions, openDocuments } from '../../../src/adapters/documents/open-documents.ts'
import { systemClock } from '../../../src/adapters/system/system-clock.ts'
import { systemTimers } from '../../../src/adapters/system/system-timers.ts'
import type { DocumentReading } from '../../../src/core/document-reader.ts'

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'documents')
const memoryBytesMax = 512 * 1_048_576
/** A loaded machine gives a child a fraction of its time. */
const wallMsMax = 60_000

interface ReadOptions {
  readonly name?: string
  readonly mediaType?: string
  readonly accountId?: string
  readonly signal?: AbortSignal
}

export interface TestDocuments extends Documents {
  readBytes(bytes: Uint8Array, options?: ReadOptions): Promise<DocumentReading>
  readFixture(name: string): Promise<DocumentReading>
}

/** The reader with real children; `npm run build` makes their program. */
export function useDocuments(options: Partial<DocumentsOptions> = {}): TestDocuments {
  const documents = openDocuments({
    childrenMax: 2,
    memoryBytesMax,
    cpuMsMax: 10_000,
    wallMsMax,
    clock: systemClock,
    timers: systemTimers,
    ...options,
  })
  afterAll(() => documents.close())
  const readBytes: TestDocuments['readBytes'] = (bytes, { name, mediaType, accountId, signal } = {}) =>
    documents.reader.read(
      { bytes, name: name ?? null, mediaType: mediaType ?? null, accountId: accountId ?? 'acc_1' },
      signal ?? AbortSignal.timeout(wallMsMax),
    )
  return { ...documents, readBytes, readFixture: name => readBytes(fixture(name), { name }) }
}

export function fixture(name: string): Buffer {
  return readFileSync(join(fixtures, name))
}
