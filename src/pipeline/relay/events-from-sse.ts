import type { CompletionEvent } from '../../core/completion-event.ts'
import { type ByteStream, EngineFault } from '../../domain/engines/types.ts'
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'
import { createSseSplitter, sseBounds } from '../../lib/sse-split.ts'
import { readChunkFacts } from './chunk-facts.ts'
import { answerBytesMax } from './read-answer.ts'

const queuedEventsMax = 64

/**
 * An engine's byte stream as events, for answers that must be understood. The engine is paused while more than a few
 * events wait. @throws EngineFault when the stream breaks off, is not made of JSON objects, or is longer than 32 MiB
 */
export async function* eventsFromSse(body: ByteStream, signal: AbortSignal): AsyncGenerator<CompletionEvent> {
  const queue: CompletionEvent[] = []
  const state: { over: boolean; fault: EngineFault | null; wake: () => void } = {
    over: false,
    fault: null,
    wake: () => undefined,
  }
  let size = 0
  const stop = (fault: EngineFault | null) => {
    if (state.over) return
    state.over = true
    state.fault = fault
    state.wake()
  }
  const splitter = createSseSplitter({
    ...sseBounds,
    onEvent: data => {
      if (state.over) return
      if (data.toString() === '[DONE]') return stop(null)
      const chunk = readChunk(data)
      if (chunk === null) stop(new EngineFault('bad_answer', 'a chunk is no sound chunk'))
      else queue.push(...toEvents(chunk))
    },
    onFault: reason => stop(new EngineFault('bad_answer', `the stream broke a bound: ${reason}`)),
  })
  signal.addEventListener('abort', () => stop(new EngineFault('aborted', 'the request is over')), { once: true })
  body.consume({
    onBytes(bytes) {
      size += bytes.length
      if (size > answerBytesMax) {
        stop(new EngineFault('bad_answer', 'the answer is longer than the gateway takes'))
        body.cancel()
      } else splitter.push(bytes)
      if (queue.length > queuedEventsMax) body.pause()
      state.wake()
    },
    onEnd() {
      splitter.end()
      stop(null)
    },
    onFault: stop,
  })
  try {
    for (;;) {
      const event = queue.shift()
      if (event !== undefined) yield event
      else if (state.fault !== null) throw state.fault
      else if (state.over) return
      else {
        body.resume()
        await new Promise<void>(resolve => {
          state.wake = resolve
        })
      }
    }
  } finally {
    if (!state.over) body.cancel()
  }
}

function readChunk(data: Buffer): JsonObject | null {
  try {
    const value = parseJsonBytes(repairUtf8(data))
    return isJsonObject(value) && isSound(value) ? value : null
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

function isSound(chunk: JsonObject): boolean {
  const { error, choices, usage } = chunk
  if (error !== undefined && error !== null) return false
  if (Array.isArray(choices)) return !readChunkFacts(chunk).malformed
  return (choices === undefined || choices === null) && isJsonObject(usage)
}

function* toEvents(chunk: JsonObject): Generator<CompletionEvent> {
  const { usage, ...rest } = chunk
  const choices = rest['choices']
  if (Array.isArray(choices) && choices.length > 0) yield { type: 'chunk', chunk: rest }
  if (isJsonObject(usage)) yield { type: 'usage', usage }
}
