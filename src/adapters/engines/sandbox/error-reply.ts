import type { EngineReply } from '../../../domain/engines/types.ts'
import { bytesReply, errorReply } from '../error-reply.ts'

/** The status that a magic input asked for. */
export function statusReply(status: number, retryAfterSeconds: number | undefined): EngineReply {
  const message = `The test mode was asked for status ${status}.`
  const retryAfterMs = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1_000
  return errorReply(status, { message, type: typeOf(status), code: 'simulated' }, retryAfterMs)
}

/** What comes from the wrong server: a page with status 200. */
export function garbageReply(): EngineReply {
  const page = '<!doctype html><title>Welcome</title><p>This is no completion, as the test mode was asked for.</p>'
  return bytesReply(200, { contentType: 'text/html', text: page })
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
