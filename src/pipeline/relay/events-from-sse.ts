import type { CompletionEvent } from '../../core/completion-event.ts'
import { readSseData } from '../../domain/engines/read-answer.ts'
import { type ByteStream, EngineFault } from '../../domain/engines/types.ts'
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'
import { readChunkFacts } from './chunk-facts.ts'
import { streamError } from './stream-error.ts'

/**
 * An engine's byte stream as events, for answers that must be understood.
 * @throws EngineFault when the stream breaks off, is not made of JSON objects, or is longer than 32 MiB
 */
export async function* eventsFromSse(body: ByteStream, signal: AbortSignal): AsyncGenerator<CompletionEvent> {
  for await (const data of readSseData(body, signal)) {
    const chunk = readChunk(data)
    if (chunk !== null && hasError(chunk)) throw streamError(chunk['error'] ?? null)
    if (chunk === null) throw new EngineFault('bad_answer', 'a chunk is no sound chunk')
    yield* toEvents(chunk)
  }
}

function readChunk(data: Buffer): JsonObject | null {
  try {
    const value = parseJsonBytes(repairUtf8(data))
    return isJsonObject(value) && (hasError(value) || isSound(value)) ? value : null
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

function hasError({ error }: JsonObject): boolean {
  return error !== undefined && error !== null
}

function isSound(chunk: JsonObject): boolean {
  const { choices, usage } = chunk
  if (Array.isArray(choices)) return !readChunkFacts(chunk).malformed
  return (choices === undefined || choices === null) && isJsonObject(usage)
}

function* toEvents(chunk: JsonObject): Generator<CompletionEvent> {
  const { usage, ...rest } = chunk
  const choices = rest['choices']
  if (Array.isArray(choices) && choices.length > 0) yield { type: 'chunk', chunk: rest }
  if (isJsonObject(usage)) yield { type: 'usage', usage }
}
