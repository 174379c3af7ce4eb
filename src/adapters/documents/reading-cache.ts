import type { DocumentReading } from '../../core/document-reader.ts'
import { createSharedCache } from '../../lib/shared-cache.ts'

/** Room for a few hundred usual documents. */
const charactersMax = 33_554_432
/** One account has at most a quarter, so that it cannot push out what all others had read. */
const accountsMin = 4
const keptMs = 600_000
/** What an entry takes beside its text, with a usual key; a server may have made the type in one long. */
const entryCharacters = 512

/** What was read, and for whom. */
interface ReadingKey {
  readonly accountId: string
  readonly key: string
}

/** Readings that were made lately. */
export interface ReadingCache {
  get(of: ReadingKey, nowMs: number): DocumentReading | undefined
  set(of: ReadingKey, reading: DocumentReading, nowMs: number): void
}

export function createReadingCache(): ReadingCache {
  const cache = createSharedCache<DocumentReading>({
    ownersMin: accountsMin,
    entriesMax: charactersMax / entryCharacters,
    sizeMax: charactersMax,
    sizeOf: (key, reading) =>
      Math.max(entryCharacters, key.length) + (reading.kind === 'text' ? reading.text.length : 0),
  })
  return {
    get: ({ accountId, key }, nowMs) => cache.of(accountId).get(key, nowMs),
    set: ({ accountId, key }, reading, nowMs) => cache.of(accountId).set(key, reading, nowMs + keptMs),
  }
}
