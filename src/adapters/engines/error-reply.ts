import type { EngineReply } from '../../domain/engines/types.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createMemoryBody } from './memory-body.ts'
import type { RequestRefused } from './request-refused.ts'

type BytesReply = Extract<EngineReply, { kind: 'bytes' }>

/** An engine's error in the shape of OpenAI's: what happens to the call is decided by the status. */
export interface ReplyError {
  readonly message: string
  readonly type: string
  readonly code: string | null
  readonly param?: string | null
}

/** A request that is at fault. */
export function refusedReply({ message, code, param }: RequestRefused): BytesReply {
  return errorReply(400, { message, type: 'invalid_request_error', code, param })
}

export function errorReply(status: number, error: ReplyError, retryAfterMs: number | null = null): BytesReply {
  const { message, type, code, param = null } = error
  const body: JsonObject = { error: { message, type, param, code } }
  return { ...bytesReply(status, { contentType: 'application/json', text: JSON.stringify(body) }), retryAfterMs }
}

export function bytesReply(
  status: number,
  { contentType, text }: { readonly contentType: string; readonly text: string },
): BytesReply {
  return { kind: 'bytes', status, contentType, retryAfterMs: null, body: createMemoryBody(Buffer.from(text)) }
}
