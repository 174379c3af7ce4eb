import type { ServerResponse } from 'node:http'
import type { ErrorContext, ErrorEncoder } from '../core/answer-encoder.ts'
import type { Clock } from '../core/clock.ts'
import type { GatewayError } from '../core/gateway-error.ts'

/** Official clients wait as long as they are told, so that nothing longer than a minute may ever leave. */
const retryAfterSecondsMax = 60

/** Writes failures, each in the form of the surface that was asked. */
export interface ErrorWriter {
  /** Writes the whole answer and leaves it to the caller of this function when the exchange ends. */
  write(response: ServerResponse, error: GatewayError, encoder: ErrorEncoder): void
  /** Answers with an error, unless an answer is on its way already: then the connection can only be broken off. */
  send(response: ServerResponse, error: GatewayError, encoder: ErrorEncoder): void
}

export interface ErrorGround {
  readonly clock: Pick<Clock, 'now'>
  readonly publicUrl: string
  readonly operatorName: () => string
}

export function createErrorWriter(ground: ErrorGround): ErrorWriter {
  function write(response: ServerResponse, error: GatewayError, encoder: ErrorEncoder): void {
    const rendered = encoder.renderError(error, contextOf(response, ground))
    const body = Buffer.from(rendered.body)
    const headers = { ...commonHeaders(error), ...rendered.headers, 'content-length': body.length }
    response.writeHead(rendered.status, headers)
    response.write(body)
  }

  return {
    write,
    send(response, error, encoder) {
      if (response.headersSent) {
        response.destroy()
        return
      }
      write(response, error, encoder)
      response.end()
    },
  }
}

function contextOf(response: ServerResponse, { clock, publicUrl, operatorName }: ErrorGround): ErrorContext {
  const [path = '/'] = (response.req.url ?? '/').split('?', 1)
  return {
    requestId: String(response.getHeader('x-request-id') ?? ''),
    path,
    publicUrl,
    operatorName: operatorName(),
    nowMs: clock.now(),
  }
}

/** Headers that every error carries beside its body: when to try again, unless the surface says it, and whether. */
function commonHeaders(error: GatewayError): Record<string, string> {
  const { retryAfterSeconds, shouldRetry } = error.options
  const headers: Record<string, string> = {
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
