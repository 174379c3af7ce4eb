import { currentWindow, spentKind } from '../../lib/failure-window.ts'
import type { FailureCounts } from '../limits/types.ts'
import type { AdmissionRequest, Refusal } from './types.ts'

export interface BudgetDecision {
  /** What the caller's bucket counted in the window that lasts now. */
  readonly counts: FailureCounts
  readonly refusal: Refusal | null
}

export function isBudgeted({ errorBudget }: Pick<AdmissionRequest, 'errorBudget'>): boolean {
  return errorBudget !== null
}

/**
 * Whether the caller failed so often that nothing of its bucket passes (venice.md §5.4). It comes before rates and money:
 * whoever is told to wait is not told to pay first. Null for requests without a budget.
 */
export function decideBudget(stored: FailureCounts | null, request: AdmissionRequest): BudgetDecision | null {
  const { errorBudget, nowMs } = request
  if (errorBudget === null) return null
  const counts = currentWindow(stored, errorBudget.windowMs, nowMs)
  const kind = spentKind(counts, errorBudget)
  if (kind === null) return { counts, refusal: null }
  const refusal: Refusal = {
    admitted: false,
    reason: 'error_budget',
    neededNano: 0n,
    availableNano: 0n,
    limit: errorBudget[kind],
    retryAfterMs: counts.endsAtMs - nowMs,
    rates: null,
    balances: null,
    failures: counts,
  }
  return { counts, refusal }
}
