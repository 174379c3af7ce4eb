import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerEncoder } from '../core/answer-encoder.ts'
import type { Clock } from '../core/clock.ts'
import type { CompletionRequest } from '../core/completion-request.ts'
import { GatewayError, toGatewayError } from '../core/gateway-error.ts'
import { newOrderedCompletionId } from '../core/ids.ts'
import type { Logger } from '../core/logger.ts'
import type { Random } from '../core/random.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'
import type { Completions } from '../pipeline/run-completion.ts'
import { type BodyBudget, judgeBodyHead, readBody } from './read-body.ts'
import { refuseRequest } from './refuse-request.ts'
import { createResponseOutlet } from './response-outlet.ts'

/** What a dialect gives to the one route of completions. */
export interface CompletionDialect {
  readonly surface: string
  readonly route: string
  readonly decodeChat: (bytes: Buffer) => CompletionRequest
  readonly encoder: AnswerEncoder
}

export interface CompletionRouteDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly identity: Identity
  readonly completions: Completions
  readonly observer: CompletionObserver
  readonly bodies: BodyBudget
}

/** A request on the hot route: known by its id, its method judged, nothing read yet. */
interface RouteCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

export type CompletionRoute = (call: RouteCall) => Promise<void>

/**
 * The hot route: a plain handler on the shared HTTP server, taken before the framework (performance.md §2). Credentials,
 * method and length are judged before a body byte is read; whatever fails is rendered here, once.
 */
export function createCompletionRoute(
  dependencies: CompletionRouteDependencies,
  dialect: CompletionDialect,
): CompletionRoute {
  return async call => {
    try {
      await answer(dependencies, dialect, call)
    } catch (cause) {
      const error = toGatewayError(cause)
      if (error.code === 'internal')
        dependencies.logger.error('request.failed', { requestId: call.requestId, error: cause })
      dependencies.observer.refused(null, error.code)
      refuse(call, error, dialect.encoder)
    }
  }
}

async function answer(
  dependencies: CompletionRouteDependencies,
  dialect: CompletionDialect,
  call: RouteCall,
): Promise<void> {
  const { clock, random, identity, completions, bodies } = dependencies
  const { request, response, requestId } = call
  const startedAtMs = clock.monotonic()
  const receivedAtMs = clock.now()
  const principal = await identity.authenticate(request.headers.authorization)
  if (request.method !== 'POST')
    throw new GatewayError('method_not_allowed', `This address takes POST, not ${request.method}.`)
  judgeBodyHead(request)
  const body = await readBody(request, bodies)
  try {
    const completionId = newOrderedCompletionId(random, receivedAtMs)
    response.setHeader('x-generation-id', completionId)
    await completions.run(
      {
        requestId,
        completionId,
        principal,
        request: dialect.decodeChat(body.bytes),
        encoder: dialect.encoder,
        surface: dialect.surface,
        route: dialect.route,
        idempotencyKey: idempotencyKey(request),
        receivedAtMs,
        startedAtMs,
      },
      createResponseOutlet(response),
    )
  } finally {
    body.release()
  }
}

function idempotencyKey(request: IncomingMessage): string | null {
  const header = request.headers['idempotency-key']
  return typeof header === 'string' ? header : null
}

function refuse(call: RouteCall, error: GatewayError, encoder: AnswerEncoder): void {
  if (error.code === 'method_not_allowed' && !call.response.headersSent) call.response.setHeader('allow', 'POST')
  refuseRequest(call, error, encoder)
}
