import type { ServerResponse } from 'node:http'
import type { AnswerEncoder } from '../core/answer-encoder.ts'
import type { GatewayError } from '../core/gateway-error.ts'

/** Official clients wait as long as they are told, so that nothing longer than a minute may ever leave. */
const retryAfterSecondsMax = 60

/** Headers that an error carries beside its body: when to try again, and whether. */
function errorHeaders(error: GatewayError): Record<string, string> {
  const { retryAfterSeconds, shouldRetry } = error.options
  const headers: Record<string, string> = {
    ...error.options.headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
  }
  if (retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), retryAfterSecondsMax))
  }
  if (shouldRetry !== undefined) headers['x-should-retry'] = String(shouldRetry)
  if (error.code === 'invalid_api_key') headers['www-authenticate'] = 'Bearer'
  return headers
}

/** Writes the whole answer and leaves it to the caller of this function when the exchange ends. */
export function writeError(response: ServerResponse, error: GatewayError, encoder: AnswerEncoder): void {
  const body = Buffer.from(encoder.errorBody(error))
  response.writeHead(error.status, { ...errorHeaders(error), 'content-length': body.length })
  response.write(body)
}

/** Answers with an error, unless an answer is on its way already: then the connection can only be broken off. */
export function sendError(response: ServerResponse, error: GatewayError, encoder: AnswerEncoder): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  writeError(response, error, encoder)
  response.end()
}
