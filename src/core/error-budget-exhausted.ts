import { GatewayError } from './gateway-error.ts'
import type { BudgetView, Limit } from './rate-view.ts'

export interface ExhaustedBudget {
  /** How many failures were allowed in the window. */
  readonly allowed: Limit
  readonly windowMs: number
  readonly nowMs: number
  readonly view: BudgetView
}

/** The one answer to everything that is asked while an error budget is used up (venice.md §5.4). */
export function errorBudgetExhausted({ allowed, windowMs, nowMs, view }: ExhaustedBudget): GatewayError {
  const waitSeconds = Math.max(Math.ceil((view.resetsAtMs - nowMs) / 1_000), 1)
  const windowSeconds = Math.ceil(windowMs / 1_000)
  const message =
    `As many requests failed as may in ${windowSeconds} seconds (${allowed}), so that none is taken for a while: mend them, ` +
    `and try again in ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}.`
  return new GatewayError('error_budget_exhausted', message, {
    retryAfterSeconds: waitSeconds,
    facts: { allowed, windowSeconds },
    failures: view,
  })
}
