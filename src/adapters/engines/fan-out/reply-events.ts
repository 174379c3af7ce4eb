import type { CompletionEvent } from '../../../core/completion-event.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import { readSseData } from '../../../domain/engines/read-answer.ts'
import type { EngineReply } from '../../../domain/engines/types.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import { parseAnswer } from '../parse-answer.ts'

export function isAnswer(reply: EngineReply): boolean {
  return reply.kind === 'events' || reply.status === 200
}

/** A streamed answer as events, whatever the engine speaks in. @throws EngineFault for what is none */
export function eventsOfReply(reply: EngineReply): AsyncIterable<CompletionEvent> {
  if (reply.kind === 'events') return reply.events
  if (reply.status === 200 && reply.contentType === 'text/event-stream') return readEvents(reply.body)
  reply.body.cancel()
  throw createFault('bad_answer', { message: `the node answered one of several choices with ${reply.status}` })
}

async function* readEvents(body: Extract<EngineReply, { kind: 'bytes' }>['body']): AsyncGenerator<CompletionEvent> {
  for await (const data of readSseData(body)) yield* eventsOfChunk(parseAnswer(data))
}

function eventsOfChunk({ usage, ...chunk }: JsonObject): CompletionEvent[] {
  const { error, choices } = chunk
  if (error !== undefined && error !== null)
    throw createFault('bad_answer', { message: 'the stream of the node carries an error' })
  const said = Array.isArray(choices) && choices.length > 0
  return [
    ...(said ? [{ type: 'chunk', chunk } as const] : []),
    ...(isJsonObject(usage) ? [{ type: 'usage', usage } as const] : []),
  ]
}
