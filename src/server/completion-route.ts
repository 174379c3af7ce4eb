import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerEncoder, ErrorEncoder } from '../core/answer-encoder.ts'
import type { Clock } from '../core/clock.ts'
import type { CompletionRequest } from '../core/completion-request.ts'
import { GatewayError, toGatewayError } from '../core/gateway-error.ts'
import { newOrderedCompletionId } from '../core/ids.ts'
import type { Logger } from '../core/logger.ts'
import type { Principal } from '../core/principal.ts'
import type { Random } from '../core/random.ts'
import { openBody, type ReadBody } from '../dialects/openai/read-body.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { CallersBucket, ErrorBudgets } from '../domain/limits/error-budgets.ts'
import type { FailureKind } from '../domain/limits/types.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'
import type { SharedRoom } from '../lib/shared-room.ts'
import { keyedName } from '../pipeline/keyed-names.ts'
import type { Completions } from '../pipeline/run-completion.ts'
import type { Callers } from './callers.ts'
import { chargeFailure } from './charge-failure.ts'
import { judgeBodyHead, readBody } from './read-body.ts'
import { refuseRequest } from './refuse-request.ts'
import { createResponseOutlet } from './response-outlet.ts'
import type { ErrorWriter } from './send-error.ts'

/** What a dialect gives to the one route of completions. */
export interface CompletionDialect {
  readonly surface: string
  readonly route: string
  /** Whether requests are paid with all that an account has, or with dollars alone (money.md §4). */
  readonly spendsAllCurrencies: boolean
  /** @throws GatewayError where the surface tells missing credentials from wrong ones */
  readonly judgeCredentials: (headers: IncomingHttpHeaders) => void
  /** @throws GatewayError for a request that must not be served in plain */
  readonly refuseEncryption: (headers: IncomingHttpHeaders) => void
  readonly openChat: (body: ReadBody) => OpenedChat
  /** In which error budget a failure counts; null where in none. */
  readonly countedAs: (error: GatewayError) => FailureKind | null
  /** For failures before there is a request. */
  readonly encoder: ErrorEncoder
}

/** What decoding may ask: a suffix ends a name only where no model is called so. */
type DecodeContext = Pick<Catalog, 'hasModel' | 'find'>

interface OpenedChat {
  /** Whose failure it would be; null on a surface without error budgets. */
  budgetNames(context: DecodeContext): { readonly model: string; readonly user: string | null } | null
  /** @throws GatewayError for a body that is not a request of this surface */
  decode(context: DecodeContext): DecodedChat
}

interface DecodedChat {
  readonly request: CompletionRequest
  /** Writes the answer to this request, settings that it echoes included. */
  readonly encoder: AnswerEncoder
}

export interface CompletionRouteDependencies {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly identity: Identity
  readonly completions: Completions
  readonly observer: CompletionObserver
  readonly errorBudgets: ErrorBudgets
  /** Keys the names under which callers' users are counted. */
  readonly secret: Buffer
  readonly callers: Pick<Callers, 'regionOf'>
  readonly bodies: SharedRoom
  readonly errors: ErrorWriter
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
  const { errorBudgets, errors, logger, observer } = dependencies
  return async call => {
    const culprit: Culprit = { bucket: null }
    try {
      await answer(dependencies, dialect, { ...call, culprit })
    } catch (cause) {
      const failure = toGatewayError(cause)
      if (failure.code === 'internal') logger.error('request.failed', { requestId: call.requestId, error: cause })
      const kind = call.response.headersSent ? null : dialect.countedAs(failure)
      const error = await chargeFailure(errorBudgets, failure, { ...culprit, kind })
      observer.refused(null, error.code)
      refuse(call, error, { errors, encoder: dialect.encoder })
    }
  }
}

/** Whose failure it is: known better with each stage of a request. */
interface Culprit {
  bucket: CallersBucket | null
}

async function answer(
  dependencies: CompletionRouteDependencies,
  dialect: CompletionDialect,
  { request, response, requestId, culprit }: RouteCall & { readonly culprit: Culprit },
): Promise<void> {
  const { clock, random, identity, completions, bodies, catalog } = dependencies
  const startedAtMs = clock.monotonic()
  const receivedAtMs = clock.now()
  dialect.judgeCredentials(request.headers)
  const principal = await identity.authenticate(request.headers.authorization)
  if (request.method !== 'POST')
    throw new GatewayError('method_not_allowed', `This address takes POST, not ${request.method}.`)
  dialect.refuseEncryption(request.headers)
  judgeBodyHead(request)
  const body = await readBody(request, bodies.of(principal.accountId))
  try {
    const completionId = newOrderedCompletionId(random, receivedAtMs)
    response.setHeader('x-generation-id', completionId)
    const opened = dialect.openChat(await openBody(body.bytes))
    culprit.bucket = bucketOf(opened, principal, dependencies)
    const known = culprit.bucket === null ? null : dependencies.errorBudgets.known(culprit.bucket)
    if (known !== null) throw known
    await completions.run(
      {
        requestId,
        completionId,
        principal,
        ...opened.decode(catalog),
        budgetUser: culprit.bucket?.user ?? null,
        region: dependencies.callers.regionOf(request),
        bodyBytes: body.bytes,
        surface: dialect.surface,
        route: dialect.route,
        spendsAllCurrencies: dialect.spendsAllCurrencies,
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

/** The bucket that a request's failures count in; the caller's own user is in it under a name that only we can make. */
function bucketOf(
  opened: OpenedChat,
  { accountId, keyId }: Principal,
  { catalog, secret }: Pick<CompletionRouteDependencies, 'catalog' | 'secret'>,
): CallersBucket | null {
  const names = opened.budgetNames(catalog)
  if (names === null) return null
  const user = names.user === null ? '' : keyedName(secret, 'budget-user', accountId, names.user)
  return { accountId, owner: keyId, model: names.model, user }
}

function idempotencyKey(request: IncomingMessage): string | null {
  const header = request.headers['idempotency-key']
  return typeof header === 'string' ? header : null
}

function refuse(
  call: RouteCall,
  error: GatewayError,
  { errors, encoder }: { readonly errors: ErrorWriter; readonly encoder: ErrorEncoder },
): void {
  if (error.code === 'method_not_allowed' && !call.response.headersSent) call.response.setHeader('allow', 'POST')
  refuseRequest(call, error, { errors, encoder })
}
