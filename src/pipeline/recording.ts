import type { Charge } from '../core/price.ts'
import type { ClaimedKey, ReplayableAnswer } from '../domain/idempotency/types.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Outlet } from './outlet.ts'

/** Longer answers are charged and delivered, but cannot be replayed (reliability.md §6.5). */
const recordedBytesMax = 1_048_576
const hourMs = 3_600_000

/**
 * Keeps an answer under its idempotency key. Whoever ends the request calls exactly one of the endings. They do not fail:
 * a key that the store could not end stays taken until the process or its successors recover it, and an answer is not
 * withheld for that.
 */
export interface Recording {
  add(bytes: Buffer): void
  /** Durable before the last bytes leave: a caller who saw the end can ask for it again. */
  complete(head: Pick<ReplayableAnswer, 'status' | 'contentType'>, lastBytes: Buffer): Promise<void>
  /** The request charged nothing: the key may be used again. */
  free(): Promise<void>
  /** The request was charged, and its answer is not whole: the key stays taken. */
  close(): Promise<void>
}

export function createRecording(
  { idempotency, settings, clock, logger }: CompletionDependencies,
  key: ClaimedKey,
): Recording {
  let pieces: Buffer[] = []
  let size = 0
  const add = (bytes: Buffer) => {
    size += bytes.length
    if (size <= recordedBytesMax) pieces.push(bytes)
    else pieces = []
  }
  const expiresAtMs = () => clock.now() + settings().idempotencyHours * hourMs
  const orLog = (ending: Promise<void>) =>
    ending.catch((error: unknown) => logger.warn('idempotency.end_failed', { holdId: key.holdId, error }))
  return {
    add,
    async complete(head, lastBytes) {
      add(lastBytes)
      const answer = size <= recordedBytesMax ? { ...head, body: Buffer.concat(pieces) } : null
      await orLog(idempotency.complete(key, answer, expiresAtMs()))
    },
    free: () => orLog(idempotency.free(key)),
    close: () => orLog(idempotency.complete(key, null, expiresAtMs())),
  }
}

/**
 * Ends the recording of a request without a whole answer: the key is free again only when it is certain that nothing was
 * charged. `charge` is null when the ledger has not said yet.
 */
export async function endRecording(recording: Recording | null, charge: Charge | null): Promise<void> {
  if (recording === null) return
  await (charge?.totalNano === 0n ? recording.free() : recording.close())
}

/** The same outlet, with everything that is written through it kept as well. */
export function recordWrites(outlet: Outlet, recording: Recording): Outlet {
  return {
    get isGone() {
      return outlet.isGone
    },
    onGone: listener => outlet.onGone(listener),
    head: (status, headers) => outlet.head(status, headers),
    write(bytes) {
      recording.add(bytes)
      return outlet.write(bytes)
    },
    end: bytes => outlet.end(bytes),
    onDrain: listener => outlet.onDrain(listener),
  }
}
