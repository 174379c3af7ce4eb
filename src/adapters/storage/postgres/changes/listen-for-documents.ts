import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../../../core/random.ts'
import type { DocumentWatcher } from '../../../../domain/replicas/shared-documents.ts'
import type { Secret } from '../../../../lib/secret.ts'
import { NotDelivered, openListener } from './listener.ts'

/** A lost connection is tried again after these waits, doubled each time, with chance so that not all come at once. */
const retryMs = 100
const retryMaxMs = 5_000
/** Whether notifications still arrive is tried so often; where they do not, this is how long nobody listens. */
const probeEveryMs = 60_000

export interface ListenOptions {
  readonly url: Secret
  readonly random: Random
  /** Notifies all who listen, over another connection. */
  readonly notify: (payload: string) => Promise<void>
  readonly watcher: DocumentWatcher
}

/**
 * Keeps one connection open on which the server tells of written documents, and replaces it when it is lost. A pooler in
 * transaction mode takes the order to listen and delivers nothing, and a network may lose a connection without a sign: so
 * each connection has to bring a message of ours before it is believed. Returns what ends it.
 */
export function listenForDocuments(options: ListenOptions): () => void {
  const stop = new AbortController()
  void keepListening(options, stop.signal)
  return () => stop.abort()
}

async function keepListening(options: ListenOptions, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const error = await listenOnce(options, signal, () => {
      failures = 0
    })
    if (signal.aborted) return
    failures += 1
    options.watcher.onState(error instanceof NotDelivered ? 'not_delivered' : 'lost')
    const waitMs = error instanceof NotDelivered ? probeEveryMs : retryDelayMs(failures, options.random)
    await wait(waitMs, undefined, { signal, ref: false }).catch(ignoreEnd)
  }
}

/** Listens on one connection until it fails or the signal ends it. Resolves with why. */
async function listenOnce(options: ListenOptions, signal: AbortSignal, onProven: () => void): Promise<unknown> {
  const { url, random, watcher, notify } = options
  const listener = openListener({ url, onNotification: () => watcher.onHint() })
  const over = new AbortController()
  const untilProbe = { signal: AbortSignal.any([signal, over.signal]), ref: false }
  try {
    await listener.listen()
    // Nobody told this gateway what was written while it did not listen.
    watcher.onHint()
    for (;;) {
      await listener.expect(`probe ${random.hex(8)}`, notify)
      onProven()
      watcher.onState('listening')
      await Promise.race([listener.lost, wait(probeEveryMs, undefined, untilProbe)])
    }
  } catch (error) {
    return error
  } finally {
    over.abort()
    listener.close()
  }
}

function retryDelayMs(failures: number, random: Random): number {
  const longest = Math.min(retryMs * 2 ** (failures - 1), retryMaxMs)
  return (longest * (1 + random.bytes(4).readUInt32LE() / 2 ** 32)) / 2
}

function ignoreEnd(): void {
  // The loop sees the signal.
}
