import type { ByteStream, EngineFault } from '../../src/domain/engines/types.ts'

/** Everything that a stream told its reader. */
export interface StreamReading {
  readonly bytes: Buffer
  readonly ending: 'end' | EngineFault
  /** Calls of `onBytes` and of `onReadEnd`. */
  readonly chunks: number
  readonly reads: number
}

/** Reads a stream to its end or its fault. Rejects when anything comes afterwards. */
export function readStream(stream: ByteStream): Promise<StreamReading> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let reads = 0
    let ended = false
    const finish = (ending: StreamReading['ending']): void => {
      if (ended) reject(new Error('the stream ended twice'))
      ended = true
      resolve({ bytes: Buffer.concat(pieces), ending, chunks: pieces.length, reads })
    }
    stream.consume({
      onBytes: chunk => {
        if (ended) reject(new Error('bytes after the end'))
        pieces.push(chunk)
      },
      onReadEnd: () => {
        if (ended) reject(new Error('a read after the end'))
        reads += 1
      },
      onEnd: () => finish('end'),
      onFault: finish,
    })
  })
}
