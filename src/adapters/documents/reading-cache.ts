import type { DocumentReading } from '../../core/document-reader.ts'
import { createRecentCache } from '../../lib/recent-cache.ts'

/** Room for a few hundred usual documents. */
const charactersMax = 33_554_432
const keptMs = 600_000
/** What an entry takes beside its text, with a usual key; a server may have made the type in one long. */
const entryCharacters = 512

/** Readings that were made lately. */
export interface ReadingCache {
  get(key: string, nowMs: number): DocumentReading | undefined
  set(key: string, reading: DocumentReading, nowMs: number): void
}

export function createReadingCache(): ReadingCache {
  const cache = createRecentCache<DocumentReading>({
    entriesMax: charactersMax / entryCharacters,
    sizeMax: charactersMax,
    sizeOf: (key, reading) =>
      Math.max(entryCharacters, key.length) + (reading.kind === 'text' ? reading.text.length : 0),
  })
  return {
    get: cache.get,
    set: (key, reading, nowMs) => cache.set(key, reading, nowMs + keptMs),
  }
}
