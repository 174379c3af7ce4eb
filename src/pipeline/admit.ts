import { newOrderedId } from '../core/ids.ts'
import { noFees } from '../core/price.ts'
import type { BudgetView } from '../core/rate-view.ts'
import type { AdmissionDecision, AdmissionRequest } from '../domain/admission/types.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Admitted, Resolved } from './stages.ts'
import { refuse, standingOf } from './standing.ts'

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
  const failures = noteFailures(dependencies, request, decision)
  if (!decision.admitted) {
    const error = refuse(dependencies.refusals, decision, request)
    throw failures === null ? error : error.with({ failures })
  }
  const { holdNano, outputLimit } = decision
  const standing = standingOf(decision, request)
  const ms = totalMs(dependencies, resolved)
  return { ...resolved, holdId, holdNano, outputLimit, ...standing, failures, totalMs: ms, fees: noFees }
}

/** What is left of the error budget; where nothing is, it stands in the account's list and is remembered. */
function noteFailures(
  { errorBudgets }: CompletionDependencies,
  { accountId, keyId, model, errorBudget }: AdmissionRequest,
  { failures }: AdmissionDecision,
): BudgetView | null {
  if (errorBudget === null || failures === undefined) return null
  return errorBudgets.note({ accountId, owner: keyId, model, user: errorBudget.user }, failures).view
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
    // What is looked up for a free model has its own price.
    free: model.free && resolved.fixedNano === 0n,
    priceVersion: model.prices.version,
    overdraftNano: settings.overdraftNano,
    spendsAllCurrencies: resolved.spendsAllCurrencies,
    modelRates: dependencies.limits.forModel(model),
    accountConcurrency: settings.accountConcurrency,
    errorBudget: errorBudgetOf(dependencies, resolved),
    processId: dependencies.processId,
    nowMs,
    deadlineMs: nowMs + queueAllowanceMs + totalMs(dependencies, resolved),
  }
}

function errorBudgetOf(
  { errorBudgets }: CompletionDependencies,
  { budgetUser }: Resolved,
): AdmissionRequest['errorBudget'] {
  return budgetUser === null ? null : { ...errorBudgets.budget, user: budgetUser }
}

function totalMs({ engines }: CompletionDependencies, { model, request }: Resolved): number {
  return engines.totalMs(model.served, request.stream)
}
