import type { CompletionEvent } from '../../src/core/completion-event.ts'
import type { EngineReply } from '../../src/domain/engines/types.ts'
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../src/lib/json.ts'
import { collectCompletion } from '../../src/pipeline/collect-completion.ts'
import { readStream } from './read-stream.ts'

/** All that an engine which speaks in events says. */
export async function eventsOf(reply: EngineReply): Promise<CompletionEvent[]> {
  if (reply.kind !== 'events') throw new Error('the engine gave bytes')
  const events: CompletionEvent[] = []
  for await (const event of reply.events) events.push(event)
  return events
}

/** The whole answer, and its one message. */
export async function completionOf(reply: EngineReply) {
  if (reply.kind !== 'events') throw new Error('the engine gave bytes')
  const completion = await collectCompletion(reply.events)
  const choices = Array.isArray(completion['choices']) ? completion['choices'].filter(isJsonObject) : []
  const { message, finish_reason: finishReason } = choices[0] ?? {}
  return { completion, message, finishReason, usage: completion['usage'] ?? null }
}

/** Of an answer that is an error: its status and its words. */
export async function errorOf(
  reply: EngineReply,
): Promise<{ status: number; retryAfterMs: number | null } & JsonObject> {
  if (reply.kind !== 'bytes') throw new Error('the engine gave events')
  const { bytes } = await readStream(reply.body)
  const body = parseJsonBytes(bytes)
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {}
  return { ...error, status: reply.status, retryAfterMs: reply.retryAfterMs }
}
