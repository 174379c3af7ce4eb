import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorEncoder } from '../core/answer-encoder.ts'
import type { GatewayError } from '../core/gateway-error.ts'
import type { ErrorWriter } from './send-error.ts'

/** How much of a refused body is read and dropped, so that its sender can read the answer instead of a reset. */
const refusedBodyBytesMax = 67_108_864
const refusedBodyMs = 5_000

/**
 * Answers with an error. A body that is still on its way is read to its end, within a bound, before the connection is
 * closed: whoever closes while bytes are coming resets the connection, and the answer is lost with it.
 */
export function refuseRequest(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  error: GatewayError,
  { errors, encoder }: { readonly errors: ErrorWriter; readonly encoder: ErrorEncoder },
): void {
  if (request.complete || response.headersSent) {
    errors.send(response, error, encoder)
    return
  }
  response.setHeader('connection', 'close')
  errors.write(response, error, encoder)
  dropBody(request, () => response.end())
}

function dropBody(request: IncomingMessage, onEnd: () => void): void {
  let dropped = 0
  const timer = setTimeout(() => request.destroy(), refusedBodyMs)
  request.on('data', (piece: Buffer) => {
    dropped += piece.length
    if (dropped > refusedBodyBytesMax) request.destroy()
  })
  request.on('close', () => {
    clearTimeout(timer)
    onEnd()
  })
  request.on('error', () => clearTimeout(timer))
  request.resume()
}
