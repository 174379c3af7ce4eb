import type { AdmissionRequest } from '../../../../domain/admission/types.ts'
import type { FailureCounts, Limit } from '../../../../domain/limits/types.ts'

/** Empty for a request without an error budget; flat, as all that travels between threads. */
export type BudgetWire = [user: string, failed: Limit, unsupported: Limit, windowMs: number] | []

export function encodeBudget(budget: AdmissionRequest['errorBudget']): BudgetWire {
  return budget === null ? [] : [budget.user, budget.failed, budget.unsupported, budget.windowMs]
}

export function decodeBudget(wire: BudgetWire): AdmissionRequest['errorBudget'] {
  if (wire.length === 0) return null
  const [user, failed, unsupported, windowMs] = wire
  return { user, failed, unsupported, windowMs }
}

export type FailuresWire = [failed: number, unsupported: number, endsAtMs: number] | []

export function encodeFailures(counts: FailureCounts | undefined): FailuresWire {
  return counts === undefined ? [] : [counts.failed, counts.unsupported, counts.endsAtMs]
}

/** As a member of the decision, which has none where the request has no budget. */
export function decodeFailures(wire: FailuresWire): { readonly failures?: FailureCounts } {
  if (wire.length === 0) return {}
  const [failed, unsupported, endsAtMs] = wire
  return { failures: { failed, unsupported, endsAtMs } }
}
