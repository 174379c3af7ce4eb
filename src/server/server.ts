import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, Server as TcpServer } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AnswerMoment } from '../core/answer-encoder.ts'
import { GatewayError, toGatewayError } from '../core/gateway-error.ts'
import { newId } from '../core/ids.ts'
import { createSharedRoom } from '../lib/shared-room.ts'
import { createCompletionRoute } from './completion-route.ts'
import { answerPreflight, setCrossOriginHeaders } from './cross-origin.ts'
import { createHttpServer } from './http-server.ts'
import { listenForMetrics } from './metrics.ts'
import { bodiesBytesMax } from './read-body.ts'
import { refuseRequest } from './refuse-request.ts'
import { registerRoutes } from './routes.ts'
import { createErrorWriter, type ErrorWriter } from './send-error.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { surfaceOf, surfaces } from './surfaces.ts'

const drainRetryAfterSeconds = 5
/** How often connections are looked at that may have become idle while the server closes. */
const sweepEveryMs = 50

export interface GatewayServer {
  /** Resolves with the address once connections are taken. */
  listen(address: { readonly host: string; readonly port: number }): Promise<AddressInfo>
  /** From now on every request but health questions is turned away. */
  drain(): void
  /**
   * Leaves the port to other processes: takes no new connections, and asks callers on open ones to close them after their
   * next answer. Resolves when all are closed, the last idle one after its usual time.
   */
  leave(): Promise<void>
  /** Stops listening and resolves when the last connection has closed. */
  close(): Promise<void>
}

/**
 * HTTP in. Completions are taken before the framework; everything else is an ordinary route. Each answer has a request
 * id, and every failure ends in the one error shape.
 */
export async function createServer(dependencies: ServerDependencies): Promise<GatewayServer> {
  const state = { draining: false, leaving: false }
  const bodies = createSharedRoom(bodiesBytesMax)
  const { clock, publicUrl, builtAtMs } = dependencies
  const operatorName = () => dependencies.settings().ownedBy
  const errors = createErrorWriter({ clock, publicUrl, operatorName })
  const completionRoutes = new Map(
    surfaces.map(({ completions }) => [
      completions.route,
      createCompletionRoute({ ...dependencies, bodies, errors }, completions),
    ]),
  )

  const newRequestId = () => newId('req', dependencies.random)
  const listener =
    (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
    (request: IncomingMessage, response: ServerResponse) => {
      const requestId = newRequestId()
      const path = pathOf(request)
      setCommonHeaders(response, requestId)
      setSurfaceHeaders(response, path, { requestId, nowMs: clock.now(), builtAtMs })
      setCrossOriginHeaders(response, path)
      if (state.leaving) response.shouldKeepAlive = false
      const problem = findProblem(request) ?? (state.draining && !isOpenWhileDraining(path) ? draining() : null)
      if (problem !== null)
        return refuseRequest({ request, response }, problem, { errors, encoder: surfaceOf(path).encoder })
      if (request.method === 'OPTIONS') return answerPreflight(response, path)
      const completion = completionRoutes.get(path)
      if (completion === undefined) return handler(request, response)
      void completion({ request, response, requestId })
    }

  const fail = createFailureAnswer(dependencies, errors)
  let http: Server | undefined
  let metrics: Server | null = null
  const app = Fastify({
    logger: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 400 },
    bodyLimit: 1_048_576,
    // What the framework refuses before it knows a route, such as an address that it cannot decode.
    frameworkErrors: fail,
    serverFactory: handler => {
      http = createHttpServer(listener(handler), {
        encoder: surfaceOf('/').encoder,
        newRequestId,
        ground: () => ({ publicUrl, operatorName: operatorName(), nowMs: clock.now() }),
      })
      return http
    },
  })
  setErrorBoundary(app, fail)
  registerRoutes(app, dependencies, () => state.draining)
  await app.ready()
  return {
    async listen({ host, port }) {
      await app.listen({ host, port })
      metrics = await listenForMetrics(dependencies)
      return http?.address() as AddressInfo
    },
    drain() {
      state.draining = true
    },
    async leave() {
      state.leaving = true
      metrics?.close()
      if (http !== undefined) await closeListener(http)
    },
    async close() {
      metrics?.close()
      const closed = app.close()
      // A connection is idle only when its last answer is out, which may be later than now.
      const sweep = setInterval(() => http?.closeIdleConnections(), sweepEveryMs)
      try {
        await closed
      } finally {
        clearInterval(sweep)
      }
    },
  }
}

/**
 * Stops listening and resolves when the last connection has closed. The HTTP server's own `close` would cut idle
 * connections at once, and with them requests that are on their way.
 */
function closeListener(http: Server): Promise<void> {
  return new Promise(resolve => void TcpServer.prototype.close.call(http, () => resolve()))
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId)
  response.setHeader('x-content-type-options', 'nosniff')
}

function setSurfaceHeaders(response: ServerResponse, path: string, moment: AnswerMoment): void {
  for (const [name, value] of Object.entries(surfaceOf(path).commonHeaders(moment))) response.setHeader(name, value)
}

/** What the parser lets through and no handler shall see. */
function findProblem({ headers, httpVersion }: IncomingMessage): GatewayError | null {
  if (headers.host === undefined && httpVersion === '1.1')
    return new GatewayError('bad_request', 'The request is not well-formed HTTP/1.1: it names no host.')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new GatewayError('expectation_failed', 'The only expectation that can be met is 100-continue.')
  return null
}

function isOpenWhileDraining(path: string): boolean {
  return path.startsWith('/health/') || path === '/metrics'
}

function draining(): GatewayError {
  const message = 'The gateway is shutting down. Try again shortly; another one takes over.'
  return new GatewayError('draining', message, { retryAfterSeconds: drainRetryAfterSeconds })
}

type FailureAnswer = (cause: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** The one catch of the ordinary routes; the hot route has its own, with the same rendering. */
function createFailureAnswer({ logger }: ServerDependencies, errors: ErrorWriter): FailureAnswer {
  return (cause, request, reply) => {
    const error = toGatewayError(frameworkError(cause))
    if (error.code === 'internal')
      logger.error('request.failed', { requestId: reply.raw.getHeader('x-request-id'), error: cause })
    reply.hijack()
    const { encoder } = surfaceOf(pathOf(request.raw))
    // A request without a body is whole, although its end may not have been looked at yet: its connection serves the next.
    if (!announcesBody(request.raw)) errors.send(reply.raw, error, encoder)
    else refuseRequest({ request: request.raw, response: reply.raw }, error, { errors, encoder })
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function setErrorBoundary(app: FastifyInstance, fail: FailureAnswer): void {
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => {
    const asked = `${request.method} ${request.url.slice(0, 200).split('?')[0]}`
    fail(new GatewayError('not_found', `There is nothing at ${asked}.`), request, reply)
  })
}

/** The framework's own refusals (a URL it cannot decode, a body it cannot parse) are the caller's to mend. */
function frameworkError(cause: unknown): unknown {
  if (cause instanceof GatewayError || !(cause instanceof Error)) return cause
  const status = (cause as { statusCode?: unknown }).statusCode
  if (status === 413) return new GatewayError('body_too_large', 'The body is larger than this address takes.')
  if (status === 415)
    return new GatewayError('unsupported_content_type', 'Send the body as `Content-Type: application/json`.')
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new GatewayError('bad_request', 'The request cannot be read.')
  return cause
}
