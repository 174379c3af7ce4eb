import type { CompletionEvent } from '../../../core/completion-event.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import { readSseData, readWhole } from '../../../domain/engines/read-answer.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import type { Answer } from '../../http/exchange.ts'
import { parseAnswer } from '../parse-answer.ts'
import { answerEvents } from './answer-events.ts'

/** An answer with status 200, whole or streamed. @throws EngineFault for what is no message */
export function decodeAnswer({ contentType, body }: Answer, createdSeconds: number): AsyncIterable<CompletionEvent> {
  return answerEvents(contentType === 'text/event-stream' ? streamed(body) : whole(body), createdSeconds)
}

async function* streamed(body: Answer['body']): AsyncGenerator<JsonObject> {
  for await (const data of readSseData(body)) yield parseAnswer(data)
}

/** A whole message is the stream that would have said it at once, so that it is understood in one way. */
async function* whole(body: Answer['body']): AsyncGenerator<JsonObject> {
  const message = parseAnswer(await readWhole(body))
  const { content, stop_reason, usage = null } = message
  if (!Array.isArray(content) || typeof stop_reason !== 'string')
    throw createFault('bad_answer', { message: 'the answer is no message' })
  yield { type: 'message_start', message }
  for (const [index, block] of content.entries()) {
    if (!isJsonObject(block)) continue
    yield { type: 'content_block_start', index, content_block: block }
    yield { type: 'content_block_stop', index }
  }
  yield { type: 'message_delta', delta: { stop_reason }, usage }
  yield { type: 'message_stop' }
}
