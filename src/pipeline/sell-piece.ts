import { GatewayError, toGatewayError } from '../core/gateway-error.ts'
import { newOrderedCompletionId, newOrderedId } from '../core/ids.ts'
import type { AdmissionRequest } from '../domain/admission/types.ts'
import type { Outcome } from '../domain/usage/types.ts'
import type { Order, Sale, SaleDependencies, Sold } from './sale.ts'
import { settleSale } from './settle-sale.ts'
import { refuse, type Standing, standingOf } from './standing.ts'

/** What is made may turn out to be worth nothing, such as a search that found nothing; left out, all of it is paid. */
interface Worth<Made> {
  readonly isPaid?: (made: Made) => boolean
}

const unlimited = {
  requestsPerMinute: 'unlimited',
  tokensPerMinute: 'unlimited',
  requestsPerDay: 'unlimited',
} as const

/**
 * Sells one piece: the same atomic admission as for a completion, then the work, then exactly one settlement. Only what
 * was made is charged; work that fails costs nothing (venice.md §3).
 * @throws GatewayError of the admission or of the work, StoreUnavailable
 */
export async function sellPiece<Made>(
  dependencies: SaleDependencies,
  order: Order & Worth<Made>,
  make: () => Promise<Made>,
): Promise<Sold<Made>> {
  if (order.signal.aborted) throw callerLeft(order.signal.reason)
  const request = admissionRequest(dependencies, order)
  const decision = await dependencies.admission.admit(request)
  if (!decision.admitted) throw refuse(dependencies.refusals, decision, request)
  const standing = standingOf(decision, request)
  const sale = { order, request }
  dependencies.observer.holding(order.ware.id, 1)
  try {
    const made = await make().catch((cause: unknown) => endUnsold(dependencies, sale, { cause, standing }))
    await settleSale(dependencies, sale, { outcome: 'done', status: 200, isPaid: order.isPaid?.(made) ?? true })
    return { made, standing }
  } finally {
    dependencies.observer.holding(order.ware.id, -1)
  }
}

interface Unsold {
  readonly cause: unknown
  readonly standing: Standing
}

/** @throws what the caller is told, or a fault of ours as it is */
async function endUnsold(
  dependencies: SaleDependencies,
  sale: Sale,
  { cause, standing: { balances } }: Unsold,
): Promise<never> {
  const error = sale.order.signal.aborted ? callerLeft(cause) : toGatewayError(cause)
  await settleSale(dependencies, sale, { outcome: outcomeOf(error), status: error.status, isPaid: false })
  throw error.code === 'internal' ? cause : error.with({ balances })
}

/** A caller who left gets no answer, and nothing is wrong with that. */
function callerLeft(cause: unknown): GatewayError {
  return new GatewayError('request_timeout', 'The caller left before there was an answer.', { cause })
}

function outcomeOf({ code, status }: GatewayError): Outcome {
  if (code === 'request_timeout') return 'client_abort'
  return status < 500 ? 'refused' : 'upstream_fail'
}

function admissionRequest(dependencies: SaleDependencies, order: Order): AdmissionRequest {
  const { clock, random, processId } = dependencies
  const { ware, principal, requestId, surface, totalMs } = order
  const { overdraftNano, accountConcurrency } = dependencies.settings()
  const nowMs = clock.now()
  return {
    holdId: newOrderedId('hold', random, nowMs),
    requestId,
    generationId: newOrderedCompletionId(random, nowMs),
    ...{ accountId: principal.accountId, keyId: principal.keyId, surface },
    model: ware.id,
    stream: false,
    fixedNano: ware.prices.searchNano,
    // A piece has no tokens; one of no price stands for them.
    ...{ outputNanoPerMillion: 0n, choices: 1, outputLimit: 1, outputLimitMayShrink: false, promptTokensBound: 0 },
    free: ware.prices.searchNano === 0n,
    priceVersion: ware.prices.version,
    ...{ overdraftNano, accountConcurrency, modelRates: order.rates ?? unlimited, errorBudget: null },
    spendsAllCurrencies: order.spendsAllCurrencies,
    processId,
    nowMs,
    deadlineMs: nowMs + totalMs,
  }
}
