import type { Clock } from '../../core/clock.ts'
import type { DocumentFailureReason, DocumentReader, DocumentReading } from '../../core/document-reader.ts'
import { sha256Steps } from '../../lib/hash-steps.ts'
import { inTurns } from '../../lib/turns.ts'
import { createReadingCache } from './reading-cache.ts'

/** What says something about the moment and not about the file. */
const passing: ReadonlySet<DocumentFailureReason> = new Set(['broken_off', 'busy', 'disabled', 'timeout', 'too_large'])

/**
 * Reads no file twice within ten minutes. What one account sent is found by that account alone, so that nobody learns
 * from the speed of an answer what others have.
 */
export function createCachedReader(reader: DocumentReader, clock: Pick<Clock, 'monotonic'>): DocumentReader {
  const cache = createReadingCache()
  return {
    async read(document, signal) {
      const { bytes, name, mediaType, accountId } = document
      signal.throwIfAborted()
      const key = JSON.stringify([await hashOf(bytes, signal), extensionOf(name), mediaType])
      const own = { accountId, key }
      const known = cache.get(own, clock.monotonic())
      if (known !== undefined) return known
      const reading = await reader.read(document, signal)
      if (isLasting(reading)) cache.set(own, reading, clock.monotonic())
      return reading
    },
  }
}

function isLasting(reading: DocumentReading): boolean {
  return reading.kind !== 'failure' || !passing.has(reading.reason)
}

async function hashOf(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  return (await inTurns(sha256Steps(bytes), signal)).toString('base64')
}

/** The only part of a name that a reading depends on. */
function extensionOf(name: string | null): string | null {
  return /\.[a-z0-9]{1,8}$/i.exec(name ?? '')?.[0].toLowerCase() ?? null
}
