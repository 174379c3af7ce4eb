import type { GatewayError } from '../core/gateway-error.ts'
import type { CallersBucket, ErrorBudgets } from '../domain/limits/error-budgets.ts'
import type { FailureKind } from '../domain/limits/types.ts'

export interface ChargedFailure {
  /** Null while nobody knows whose failure it is. */
  readonly bucket: CallersBucket | null
  /** Null for what counts nowhere. */
  readonly kind: FailureKind | null
}

/** Counts a failure and resolves with what the caller is told: the failure, or that its error budget is used up. */
export async function chargeFailure(
  errorBudgets: Pick<ErrorBudgets, 'count'>,
  error: GatewayError,
  { bucket, kind }: ChargedFailure,
): Promise<GatewayError> {
  if (bucket === null || kind === null) return error
  const { refusal, view } = await errorBudgets.count(bucket, kind)
  if (refusal !== null) return refusal
  return view === null ? error : error.with({ failures: view })
}
