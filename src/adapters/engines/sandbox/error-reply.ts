import type { EngineReply } from '../../../domain/engines/types.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { createMemoryBody } from './memory-body.ts'
import type { RequestRefused } from './request-refused.ts'

/** A request that is at fault, in the shape of OpenAI's errors. */
export function refusedReply({ message, code, param }: RequestRefused): EngineReply {
  return jsonReply(400, { error: { message, type: 'invalid_request_error', param, code } })
}

/** The status that a magic input asked for. */
export function statusReply(status: number, retryAfterSeconds: number | undefined): EngineReply {
  const message = `The test mode was asked for status ${status}.`
  const reply = jsonReply(status, { error: { message, type: typeOf(status), param: null, code: 'simulated' } })
  return retryAfterSeconds === undefined ? reply : { ...reply, retryAfterMs: retryAfterSeconds * 1_000 }
}

/** What comes from the wrong server: a page with status 200. */
export function garbageReply(): EngineReply {
  const page = '<!doctype html><title>Welcome</title><p>This is no completion, as the test mode was asked for.</p>'
  return bytesReply(200, { contentType: 'text/html', text: page })
}

function jsonReply(status: number, body: JsonObject): Extract<EngineReply, { kind: 'bytes' }> {
  return bytesReply(status, { contentType: 'application/json', text: JSON.stringify(body) })
}

function bytesReply(
  status: number,
  { contentType, text }: { contentType: string; text: string },
): Extract<EngineReply, { kind: 'bytes' }> {
  return { kind: 'bytes', status, contentType, retryAfterMs: null, body: createMemoryBody(Buffer.from(text)) }
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
