import type { Logger } from '../core/logger.ts'
import type { Charge } from '../core/price.ts'
import type { SettlementResult } from '../domain/ledger/types.ts'

/**
 * How long an answer waits for its settlement to be durable. Later than this the answer goes out without its cost, and
 * the settlement goes on by itself: a cost that left always has an equal durable debit (money.md §2, §6).
 */
const settleWaitMs = 3_000

/** Resolves with what was really taken, or with null when the ledger did not confirm it in time. */
export async function confirmedCharge(
  settled: Promise<SettlementResult>,
  { logger, requestId }: { readonly logger: Logger; readonly requestId: string },
): Promise<Charge | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, settleWaitMs, null)
  })
  // The ledger keeps a settlement until it is durable; a rejection here means that the process is about to end.
  const confirmed = settled.then(chargeOf, (error: unknown) => {
    logger.error('ledger.settle_failed', { requestId, error })
    return null
  })
  try {
    return await Promise.race([confirmed, late])
  } finally {
    clearTimeout(timer)
  }
}

function chargeOf({ lines, chargedNano, paid }: SettlementResult): Charge {
  return { lines, totalNano: chargedNano, ...(paid === null ? {} : { paid }) }
}
