import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import { minAmount } from '../../core/money.ts'
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts'
import { chargeUsage } from '../../domain/pricing/pricing.ts'
import { owedFees } from '../owed-fees.ts'
import type { Admitted } from '../stages.ts'
import type { Meter } from './meter.ts'

/** How far a crash may set the bill back: a mark at the first token, then every 2 s or 512 tokens (money.md §2 "Crash"). */
const markEveryMs = 2_000
const markEveryTokens = 512

export interface Progress {
  /** Called after each read from the engine; writes a mark when one is due. */
  note(): void
}

export function createProgress(
  options: { ledger: LedgerStore; clock: Clock; logger: Logger },
  admitted: Admitted,
  meter: Meter,
): Progress {
  const { ledger, clock, logger } = options
  let markedAtMs = Number.NEGATIVE_INFINITY
  let markedTokens = 0
  const isDue = (nowMs: number) =>
    nowMs - markedAtMs >= markEveryMs || meter.deliveredChunks - markedTokens >= markEveryTokens
  return {
    note() {
      const nowMs = clock.monotonic()
      if (!meter.deliveredText || !isDue(nowMs)) return
      markedAtMs = nowMs
      markedTokens = meter.deliveredChunks
      const { usage } = meter.running()
      const fees = owedFees(admitted, meter)
      const chargeNano = minAmount(chargeUsage(usage, admitted.model.prices, fees).totalNano, admitted.holdNano)
      const { promptTokens, completionTokens } = usage
      ledger
        .mark({ holdId: admitted.holdId, chargeNano, promptTokens, completionTokens, fees, atMs: clock.now() })
        .catch((error: unknown) => {
          // A lost mark only makes a crash cheaper for the customer; the settlement itself is awaited.
          logger.warn('ledger.mark_failed', { requestId: admitted.requestId, error })
        })
    },
  }
}
