import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { GatewayError, toGatewayError } from '../../core/gateway-error.ts'
import type { BudgetView } from '../../core/rate-view.ts'
import { refusePayment } from '../../dialects/venice/decode/judge-credentials.ts'
import { balanceHeaders, budgetHeaders } from '../../dialects/venice/encode/encode-headers.ts'
import { countedAs, endpointName } from '../../dialects/venice/error-budget.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import type { KnownKey } from '../../domain/identity/types.ts'
import type { JsonObject } from '../../lib/json.ts'
import { chargeFailure } from '../charge-failure.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { readPurse } from './purse.ts'

type Dependencies = Pick<ServerDependencies, 'identity' | 'errorBudgets' | 'ledger' | 'clock'>

/** What an ordinary route answers with: JSON, as an object or as text. */
type RouteAnswer = JsonObject | string

/** The caller is known before a byte of the body is read. */
type KeyHandler = (
  caller: KnownKey,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
) => Promise<RouteAnswer> | RouteAnswer

/** Who asks, and what was left of the error budget of this key and address when the request came. */
interface Known {
  readonly caller: KnownKey
  readonly view: BudgetView | null
}

type AddKeyRoute = (method: HTTPMethods, url: string, handler: KeyHandler) => void

export interface KeyRoutes {
  /** For every key. */
  readonly forAny: AddKeyRoute
  /** For admin keys only. */
  readonly forAdmin: AddKeyRoute
}

/**
 * Routes that take API keys and nothing else (venice.md §6.1): whoever sends none is told how to get one, also when the
 * header of a wallet is there, which these routes do not look at (§19).
 */
export function createKeyRoutes(app: FastifyInstance, dependencies: Dependencies): KeyRoutes {
  const { identity, errorBudgets } = dependencies
  const knownOf = new WeakMap<FastifyRequest, Known>()

  function add(needsAdmin: boolean): AddKeyRoute {
    return (method, url, handler) => {
      const endpoint = endpointName(url)
      /** What fails here counts in the bucket of the key and this address (venice.md §5.4). */
      async function counted<T>({ caller: { key }, view }: Known, run: () => Promise<T>): Promise<T> {
        try {
          return await run()
        } catch (cause) {
          const bucket = { accountId: key.accountId, owner: key.id, model: endpoint, user: '' }
          const error = toGatewayError(cause)
          if (error.code === 'internal') throw cause
          const told = view === null ? error : error.with({ failures: view })
          throw await chargeFailure(errorBudgets, told, { bucket, kind: countedAs(error) })
        }
      }

      app.route({
        method,
        url,
        onRequest: async (request, reply) => {
          const caller = await identify(identity, request)
          const { accountId, id: owner, type } = caller.key
          const { refusal, view } = await errorBudgets.look({ accountId, owner, model: endpoint, user: '' })
          if (refusal !== null) throw refusal
          if (view !== null) reply.headers(budgetHeaders(view))
          if (needsAdmin && type !== 'admin') await counted({ caller, view }, refuseInferenceKey)
          knownOf.set(request, { caller, view })
          // The admission of what is sold reads the balance anyway, and its answer tells it.
          if (method === 'GET') reply.headers(balanceHeaders((await readPurse(dependencies, caller.account)).balances))
        },
        handler: async (request, reply) => {
          const known = knownOf.get(request)
          if (known === undefined) throw new TypeError('a route without its caller')
          return sendJson(reply, await counted(known, async () => handler(known.caller, { request, reply })))
        },
      })
    }
  }

  return { forAny: add(false), forAdmin: add(true) }
}

async function identify(identity: Identity, { headers }: FastifyRequest): Promise<KnownKey> {
  refusePayment(headers)
  const { authorization } = headers
  if (authorization === undefined)
    throw new GatewayError('missing_credentials', 'Send an API key as `Authorization: Bearer <key>`.')
  return identity.identify(authorization)
}

async function refuseInferenceKey(): Promise<never> {
  throw new GatewayError('admin_key_required', 'This address takes admin keys only; this is an inference key.')
}

/** What an account's holder may see is for nobody else, so that no cache keeps it. */
function sendJson(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
  return reply.header('cache-control', 'private, no-store').send(answer)
}
