import type { Charge } from '../core/price.ts'
import { capCharge } from '../domain/ledger/cap-charge.ts'
import type { Settlement, SettlementResult } from '../domain/ledger/types.ts'
import { chargeUsage } from '../domain/pricing/pricing.ts'
import type { UsageRecord } from '../domain/usage/types.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Ending } from './ending.ts'
import type { Admitted } from './stages.ts'

/**
 * How long an answer waits for its settlement to be durable. Later than this the answer goes out without its cost, and
 * the settlement goes on by itself: a cost that left always has an equal durable debit (money.md §2, §6).
 */
const settleWaitMs = 3_000

const noCharge: Charge = { lines: [], totalNano: 0n }

/**
 * Prices an ending and resolves the hold, at most once whoever else tries. Resolves with what was really taken, or null
 * when the ledger did not confirm in time.
 */
export async function settle(
  dependencies: CompletionDependencies,
  admitted: Admitted,
  ending: Ending,
): Promise<Charge | null> {
  const settlement = createSettlement(dependencies, admitted, ending)
  const settled = dependencies.ledger.settle(settlement)
  const result = await withinWait(settled, dependencies, admitted)
  return result === null ? null : { lines: result.lines, totalNano: result.chargedNano }
}

function createSettlement(dependencies: CompletionDependencies, admitted: Admitted, ending: Ending): Settlement {
  const priced = capCharge(chargeUsage(ending.reading.usage, admitted.model.prices), admitted.holdNano)
  const charge = ending.billing === 'usage' ? priced.charge : noCharge
  const given = ending.billing === 'usage' ? priced.excessNano : priced.charge.totalNano + priced.excessNano
  if (priced.excessNano > 0n) {
    dependencies.logger.error('ledger.charge_above_hold', {
      requestId: admitted.requestId,
      node: ending.node,
      excessNano: priced.excessNano,
    })
  }
  const { usage } = ending.reading
  return {
    holdId: admitted.holdId,
    chargeNano: charge.totalNano,
    lines: charge.lines,
    writeoffNano: given,
    tokensUsed: usage.promptTokens + usage.completionTokens,
    freeFailure: ending.billing === 'free_failure' ? freeFailure(dependencies, priced.charge) : null,
    record: createRecord(dependencies, admitted, ending),
    atMs: dependencies.clock.now(),
  }
}

function freeFailure(dependencies: CompletionDependencies, charge: Charge): Settlement['freeFailure'] {
  const allowance = dependencies.settings().freeFailuresPerHour
  return allowance === 'unlimited'
    ? null
    : { allowancePerHour: allowance, chargeNano: charge.totalNano, lines: charge.lines }
}

function createRecord({ clock }: CompletionDependencies, admitted: Admitted, ending: Ending): UsageRecord {
  return {
    requestId: admitted.requestId,
    generationId: admitted.completionId,
    holdId: admitted.holdId,
    accountId: admitted.principal.accountId,
    keyId: admitted.principal.keyId,
    surface: admitted.surface,
    model: admitted.model.id,
    engine: ending.node,
    engineCompletionId: ending.engineCompletionId,
    status: ending.status,
    stream: admitted.request.stream,
    usage: ending.reading.usage,
    usageSource: ending.reading.source,
    finishReason: ending.finishReason,
    outcome: ending.outcome,
    priceVersion: admitted.model.prices.version,
    attempts: ending.attempts,
    firstByteMs: ending.firstByteMs,
    totalMs: Math.round(clock.monotonic() - admitted.startedAtMs),
    costDelivered: ending.costDelivered,
    createdAtMs: admitted.receivedAtMs,
  }
}

async function withinWait(
  settled: Promise<SettlementResult>,
  dependencies: CompletionDependencies,
  admitted: Admitted,
): Promise<SettlementResult | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, settleWaitMs, null)
  })
  // The ledger keeps a settlement until it is durable; a rejection here means that the process is about to end.
  const confirmed = settled.catch((error: unknown) => {
    dependencies.logger.error('ledger.settle_failed', { requestId: admitted.requestId, error })
    return null
  })
  try {
    return await Promise.race([confirmed, late])
  } finally {
    clearTimeout(timer)
  }
}
