import type { GatewayError } from '../core/gateway-error.ts'
import { newOrderedId } from '../core/ids.ts'
import { refusalError } from '../domain/admission/refusal-error.ts'
import type { AdmissionRequest, Refusal } from '../domain/admission/types.ts'
import { rateHeaders } from '../domain/limits/rate-headers.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Admitted, Resolved } from './stages.ts'

/** A request may wait this long in nodes' queues before its own time begins; holds live that much longer. */
const queueAllowanceMs = 60_000

/**
 * The one atomic decision: limits taken and money held, or nothing changed (money.md §2). After it the request is paid
 * for, and whoever goes on owns the hold.
 * @throws GatewayError with what is short and what is left
 * @throws StoreUnavailable when the store cannot answer
 */
export async function admit(
  dependencies: CompletionDependencies,
  resolved: Resolved,
  holdId: string,
): Promise<Admitted> {
  const request = admissionRequest(dependencies, resolved, holdId)
  const decision = await dependencies.admission.admit(request)
  if (!decision.admitted) throw refused(decision, request)
  const { holdNano, outputLimit, rates } = decision
  return { ...resolved, holdId, holdNano, outputLimit, rates, totalMs: totalMs(dependencies, resolved) }
}

function refused(refusal: Refusal, request: AdmissionRequest): GatewayError {
  const error = refusalError(refusal, request)
  return refusal.rates === null ? error : error.withHeaders(Object.fromEntries(rateHeaders(refusal.rates)))
}

export function newHoldId(dependencies: CompletionDependencies): string {
  return newOrderedId('hold', dependencies.random, dependencies.clock.now())
}

function admissionRequest(dependencies: CompletionDependencies, resolved: Resolved, holdId: string): AdmissionRequest {
  const { request, model, principal } = resolved
  const settings = dependencies.settings()
  const nowMs = dependencies.clock.now()
  return {
    holdId,
    requestId: resolved.requestId,
    generationId: resolved.completionId,
    accountId: principal.accountId,
    keyId: principal.keyId,
    model: model.id,
    surface: resolved.surface,
    stream: request.stream,
    fixedNano: resolved.fixedNano,
    outputNanoPerMillion: model.prices.outputNanoPerMillion,
    choices: request.choices,
    outputLimit: resolved.outputLimit,
    outputLimitMayShrink: request.outputLimit === null,
    promptTokensBound: resolved.promptTokensBound,
    free: model.free,
    priceVersion: model.prices.version,
    overdraftNano: settings.overdraftNano,
    modelRates: dependencies.limits.forModel(model),
    accountConcurrency: settings.accountConcurrency,
    processId: dependencies.processId,
    nowMs,
    deadlineMs: nowMs + queueAllowanceMs + totalMs(dependencies, resolved),
  }
}

function totalMs({ engines }: CompletionDependencies, { model, request }: Resolved): number {
  return engines.totalMs(model.served, request.stream)
}
