import type { z } from 'zod'
import { requestId } from './headers.ts'
import type { Operation, Texts } from './operation.ts'

interface CompletionFacts extends Pick<Operation, 'path' | 'id' | 'failures'> {
  readonly request: z.ZodType
  readonly completion: z.ZodType
  /** The data of each event of a stream. */
  readonly event: z.ZodType
  /** Of the answer, beside those that every API has. */
  readonly headers: Texts
}

/** The operation that all APIs have, each with its own schemas and headers. */
export function completionOperation({ request, completion, event, headers, ...facts }: CompletionFacts): Operation {
  return {
    ...facts,
    method: 'post',
    tag: 'Chat',
    summary: 'Ask a model, and get the answer whole or, with `stream`, as it is written.',
    access: 'key',
    headers: { 'Idempotency-Key': 'Makes a repeat safe: the same answer again, charged once.' },
    body: { schema: request, required: true },
    answers: {
      200: {
        description:
          'The answer. A stream is events of `data: <JSON>`, ends with `data: [DONE]`, and may hold comments.',
        headers: {
          ...requestId,
          ...headers,
          'idempotent-replayed': '`true` on the repeat of an answer that was given before.',
        },
        content: { 'application/json': completion, 'text/event-stream': event },
      },
    },
  }
}
