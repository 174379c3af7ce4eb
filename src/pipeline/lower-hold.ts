import { chargePerMillion, minAmount } from '../core/money.ts'
import { StoreUnavailable } from '../core/store-error.ts'
import { holdBound } from '../domain/admission/hold-bound.ts'
import type { Held } from './answering.ts'
import { withXSearch } from './owed-fees.ts'
import type { Prepared } from './stages.ts'

/**
 * Gives back what was held for media, files and pages beyond what they turned out to be (money.md §2). It waits for the
 * store five seconds at most and goes on whatever it says: nothing above the lower amount is charged, so that a hold which
 * stays larger only stands in the way of the caller's other requests until this one ends.
 */
export async function lowerHold({ dependencies }: Held, prepared: Prepared): Promise<Prepared> {
  const holdNano = minAmount(prepared.holdNano, neededNano(prepared))
  if (holdNano === prepared.holdNano) return prepared
  const { holdId, requestId } = prepared
  try {
    await dependencies.ledger.lower({ holdId, amountNano: holdNano })
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    dependencies.logger.warn('ledger.lower_failed', { requestId, error })
  }
  return { ...prepared, holdNano }
}

/** The engine's own search is still to come, and owed once it begins to answer. */
function neededNano({ prompt, model, fees, searchesX, request, outputLimit }: Prepared): bigint {
  const output = chargePerMillion(request.choices * outputLimit, model.prices.outputNanoPerMillion)
  return holdBound(prompt, model, withXSearch(fees, searchesX)).fixedNano + output
}
