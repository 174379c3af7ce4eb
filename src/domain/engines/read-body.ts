import type { Timers } from '../../core/timers.ts'
import type { ByteStream } from './types.ts'

export interface BodyBounds {
  readonly bytesMax: number
  readonly waitMs: number
  readonly timers: Timers
}

/**
 * Reads a small body to its end, its bound or the end of the wait, whichever comes first, and gives what came until then:
 * half of an explanation is better than none. Never rejects; a body that went on is cancelled.
 */
export function readBody(body: ByteStream, { bytesMax, waitMs, timers }: BodyBounds): Promise<Buffer> {
  return new Promise(resolve => {
    const pieces: Buffer[] = []
    let bytes = 0
    const finish = (): void => {
      stopTimer()
      resolve(Buffer.concat(pieces, Math.min(bytes, bytesMax)))
    }
    const cut = (): void => {
      body.cancel()
      finish()
    }
    const stopTimer = timers.after(waitMs, cut)
    body.consume({
      onBytes: chunk => {
        pieces.push(chunk)
        bytes += chunk.length
        if (bytes >= bytesMax) cut()
      },
      onEnd: finish,
      onFault: finish,
    })
  })
}
