import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorContext, ErrorEncoder } from '../core/answer-encoder.ts'
import { type ErrorCode, GatewayError } from '../core/gateway-error.ts'

/** Bounds of every connection, with the reasons in reliability.md §6.6: slow senders are cut, idle ones outlive proxies. */
const headerBytesMax = 16_384
const headersMax = 100
const headersMs = 10_000
const requestMs = 60_000
const keepAliveMs = 65_000
const checkEveryMs = 1_000
const connectionsMax = 20_000

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** How a request is refused that no handler ever sees. */
export interface Refusal {
  readonly encoder: ErrorEncoder
  readonly newRequestId: () => string
  readonly ground: () => Pick<ErrorContext, 'publicUrl' | 'operatorName' | 'nowMs'>
}

/** The one HTTP server. Broken framing never reaches a handler: it is answered here and the connection is closed. */
export function createHttpServer(listener: RequestListener, refusal: Refusal): Server {
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkEveryMs,
      noDelay: true,
      insecureHTTPParser: false,
      // The listener refuses these requests itself, in the one error shape.
      requireHostHeader: false,
    },
    listener,
  )
  server.maxHeadersCount = headersMax
  server.maxConnections = connectionsMax
  // A body that waits for leave is judged by the same handler first: refused bodies are then never sent.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    listener(request, response)
  })
  server.on('checkExpectation', listener)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerBrokenRequest(error, socket, refusal),
  )
  return server
}

const brokenRequests: Readonly<
  Record<string, { readonly code: ErrorCode; readonly message: string; readonly reason: string }>
> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'The request took too long to arrive.',
    reason: 'Request Timeout',
  },
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: `The headers are larger than ${headerBytesMax} bytes.`,
    reason: 'Request Header Fields Too Large',
  },
}
const malformed = {
  code: 'bad_request',
  message: 'The request is not well-formed HTTP/1.1.',
  reason: 'Bad Request',
} as const

function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { encoder, newRequestId, ground }: Refusal,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const { code, message, reason } = brokenRequests[error.code ?? ''] ?? malformed
  const failure = new GatewayError(code, message)
  const requestId = newRequestId()
  const { status, body } = encoder.renderError(failure, { requestId, path: '/', ...ground() })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nx-request-id: ${requestId}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
