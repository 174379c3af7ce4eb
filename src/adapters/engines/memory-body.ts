import type { ByteSink, ByteStream } from '../../domain/engines/types.ts'

/** Bytes that are there already, as a stream: one piece, then the end. */
export function createMemoryBody(bytes: Buffer): ByteStream {
  let sink: ByteSink | null = null
  let isPaused = false
  let isOver = false

  function deliver(): void {
    if (sink === null || isPaused || isOver) return
    isOver = true
    sink.onBytes(bytes)
    sink.onReadEnd?.()
    sink.onEnd()
  }

  return {
    consume(taker) {
      sink = taker
      queueMicrotask(deliver)
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      queueMicrotask(deliver)
    },
    cancel() {
      isOver = true
    },
  }
}
