import type { HoldId } from '../../../core/ids.ts'
import { minAmount } from '../../../core/money.ts'
import { noFees, type PriceList } from '../../../core/price.ts'
import { noUsage } from '../../../core/usage.ts'
import type { HoldMark } from '../sql/hold-mark.ts'
import type { HoldFacts } from '../sql/texts/hold-facts.ts'
import { encodeUsageDetails } from '../sql/texts/usage-details.ts'
import type { PackedSettlement, RecordFacts } from './operations.ts'
import { splitMark } from './split-mark.ts'

/** Our own failure, as the status that the caller would have seen. */
const crashedStatus = 500

/** An open hold that nobody is going to settle. */
export interface AbandonedHold extends HoldFacts {
  readonly id: HoldId
  readonly amountNano: bigint
  readonly mark: HoldMark | null
}

/** Charges the hold at its last mark, at most what is held; without a mark it is charged nothing (money.md §2). */
export function settlementOfCrash(hold: AbandonedHold, prices: PriceList | null, atMs: number): PackedSettlement {
  const mark = hold.mark ?? { chargeNano: 0n, promptTokens: 0, completionTokens: 0, fees: noFees }
  const chargeNano = minAmount(mark.chargeNano, hold.amountNano)
  return {
    holdId: hold.id,
    chargeNano,
    lines: splitMark(mark, chargeNano, prices),
    writeoffNano: mark.chargeNano - chargeNano,
    tokensUsed: mark.promptTokens + mark.completionTokens,
    freeFailure: null,
    record: recordOf(hold, atMs),
    atMs,
  }
}

function recordOf(hold: AbandonedHold, atMs: number): RecordFacts {
  const { requestId, generationId, model, priceVersion, createdAtMs, surface, stream, mark } = hold
  const { promptTokens, completionTokens } = mark ?? noUsage
  const usage = { ...noUsage, promptTokens, completionTokens }
  return {
    generationId,
    model,
    outcome: 'crashed_recovered',
    status: crashedStatus,
    usage,
    costDelivered: false,
    createdAtMs,
    details: encodeUsageDetails({
      requestId,
      priceVersion,
      surface,
      engine: null,
      engineCompletionId: null,
      status: crashedStatus,
      stream,
      usage,
      usageSource: 'estimated',
      finishReason: null,
      attempts: [],
      firstByteMs: null,
      totalMs: Math.max(atMs - createdAtMs, 0),
    }),
  }
}
