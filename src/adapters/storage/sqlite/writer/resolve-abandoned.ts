import { minAmount } from '../../../../core/money.ts'
import { noUsage } from '../../../../core/usage.ts'
import type { RecoveryReport } from '../../../../domain/ledger/types.ts'
import { failpoint } from '../../../../lib/failpoint.ts'
import { encodeUsageDetails } from '../../sql/texts/usage-details.ts'
import type { OpenHold } from './hold-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { RecordFacts } from './record-rows.ts'
import { resolveHold } from './resolve-hold.ts'
import { splitMark } from './split-mark.ts'

/** Which open holds nobody is going to settle: those of other processes, or those that are overdue. */
export type Abandoned =
  | { readonly kind: 'foreign'; readonly processId: string }
  | { readonly kind: 'overdue'; readonly deadlineBeforeMs: number }

export interface AbandonedReport extends RecoveryReport {
  /** True when the limit was reached, so that there may be more of them. */
  readonly more: boolean
}

/** Our own failure, as the status that the caller would have seen. */
const crashedStatus = 500

/** Charges abandoned holds at their last mark and releases those without one (money.md §2), at most `limit` of them. */
export function resolveAbandoned(
  unit: LedgerUnit,
  abandoned: Abandoned,
  { atMs, limit }: { readonly atMs: number; readonly limit: number },
): AbandonedReport {
  const holds = [...unit.holds.all()].filter(hold => isAbandoned(hold, abandoned))
  let charged = 0
  for (const hold of holds.slice(0, limit)) {
    if (resolveAtMark(unit, hold, atMs)) charged += 1
  }
  failpoint('sweep.in_tx')
  const resolved = Math.min(holds.length, limit)
  return { charged, released: resolved - charged, more: holds.length > limit }
}

function isAbandoned(hold: OpenHold, abandoned: Abandoned): boolean {
  return abandoned.kind === 'foreign'
    ? hold.processId !== abandoned.processId
    : hold.deadlineAtMs < abandoned.deadlineBeforeMs
}

/** True when the hold was charged, false when it was let go for nothing. */
function resolveAtMark(unit: LedgerUnit, hold: OpenHold, atMs: number): boolean {
  const account = unit.accounts.find(hold.accountId)
  if (account === null) throw new Error('a hold belongs to an account that is not there')
  const mark = hold.mark ?? { chargeNano: 0n, promptTokens: 0, completionTokens: 0 }
  const costNano = minAmount(mark.chargeNano, hold.amountNano)
  resolveHold(unit, {
    hold,
    account,
    record: recordOf(hold, atMs),
    swept: true,
    costNano,
    lines: splitMark(mark, costNano, unit.prices.find(hold.priceVersion)),
    writeoffNano: mark.chargeNano - costNano,
    tokensUsed: mark.promptTokens + mark.completionTokens,
    atMs,
  })
  return costNano > 0n
}

function recordOf(hold: OpenHold, atMs: number): RecordFacts {
  const { requestId, generationId, model, priceVersion, createdAtMs, surface, stream, mark } = hold
  return {
    generationId,
    model,
    outcome: 'crashed_recovered',
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
      usage: { ...noUsage, promptTokens: mark?.promptTokens ?? 0, completionTokens: mark?.completionTokens ?? 0 },
      usageSource: 'estimated',
      finishReason: null,
      attempts: [],
      firstByteMs: null,
      totalMs: Math.max(atMs - createdAtMs, 0),
    }),
  }
}
