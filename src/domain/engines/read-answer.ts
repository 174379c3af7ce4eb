import { createSseSplitter, sseBounds } from '../../lib/sse-split.ts'
import { createFault } from './create-fault.ts'
import type { ByteStream, EngineFault } from './types.ts'

/** More than any answer with logprobs for eight choices; an engine that sends more is broken. */
const answerBytesMax = 33_554_432
/** What may wait for its reader before the engine is paused. */
const waitingBytesMax = 262_144

const done = Buffer.from('[DONE]')

/**
 * A whole answer. A signal is for bodies that go on when their call is over.
 * @throws EngineFault when it breaks off, or is longer than 32 MiB
 */
export function readWhole(body: ByteStream, signal: AbortSignal | null = null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    signal?.addEventListener('abort', () => reject(createFault('aborted')), { once: true })
    body.consume({
      onBytes(chunk) {
        bytes += chunk.length
        if (bytes <= answerBytesMax) pieces.push(chunk)
        else {
          body.cancel()
          reject(tooLong())
        }
      },
      onEnd: () => resolve(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)),
      onFault: reject,
    })
  })
}

/**
 * The data of a stream's events, as its reader asks for them, to the stream's end or to `[DONE]`. What an engine sends after
 * that flows by, so that its connection can be used again. Leaving the loop before cancels the body.
 * @throws EngineFault when it breaks off, is no stream of events, or is longer than 32 MiB
 */
export async function* readSseData(body: ByteStream, signal: AbortSignal | null = null): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = []
  const state: { end: EngineFault | 'end' | null; wake: () => void } = { end: null, wake: () => undefined }
  let waitingBytes = 0
  let bytes = 0
  const finish = (end: EngineFault | 'end'): void => {
    state.end ??= end
    state.wake()
  }
  const splitter = createSseSplitter({
    ...sseBounds,
    onEvent(data) {
      if (state.end !== null) return
      if (data.equals(done)) return finish('end')
      waiting.push(data)
      waitingBytes += data.length
    },
    onFault: reason => finish(createFault('bad_answer', { message: `the stream broke a bound: ${reason}` })),
  })
  signal?.addEventListener('abort', () => finish(createFault('aborted')), { once: true })
  body.consume({
    onBytes(chunk) {
      bytes += chunk.length
      if (bytes > answerBytesMax) {
        finish(tooLong())
        body.cancel()
      } else splitter.push(chunk)
      if (waitingBytes > waitingBytesMax) body.pause()
      state.wake()
    },
    onEnd() {
      splitter.end()
      finish('end')
    },
    onFault: finish,
  })
  try {
    for (;;) {
      const data = waiting.shift()
      if (data !== undefined) {
        waitingBytes -= data.length
        yield data
      } else if (state.end === 'end') return
      else if (state.end !== null) throw state.end
      else {
        // Before the body goes on, because it may give what it holds, and pause again or end, while it is being resumed.
        const woken = new Promise<void>(resolve => {
          state.wake = resolve
        })
        body.resume()
        await woken
      }
    }
  } finally {
    if (state.end !== 'end') body.cancel()
  }
}

function tooLong(): EngineFault {
  return createFault('bad_answer', { message: 'the answer is longer than the gateway takes' })
}
