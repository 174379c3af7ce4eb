import { type ByteStream, EngineFault } from '../../domain/engines/types.ts'

/** More than any answer with logprobs for eight choices; an engine that sends more is broken. */
export const answerBytesMax = 33_554_432

/** Collects a whole answer. @throws EngineFault when it breaks off, or is longer than 32 MiB */
export function readAnswer(body: ByteStream, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    signal.addEventListener('abort', () => reject(new EngineFault('aborted', 'the request is over')), { once: true })
    body.consume({
      onBytes(chunk) {
        size += chunk.length
        if (size > answerBytesMax) {
          body.cancel()
          reject(new EngineFault('bad_answer', 'the answer is longer than the gateway takes'))
        } else pieces.push(chunk)
      },
      onEnd: () => resolve(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)),
      onFault: reject,
    })
  })
}
