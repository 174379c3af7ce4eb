import type { Charge } from '../core/price.ts'
import { capCharge } from '../domain/ledger/cap-charge.ts'
import type { Settlement } from '../domain/ledger/types.ts'
import { chargeFees, chargeUsage } from '../domain/pricing/pricing.ts'
import type { UsageRecord } from '../domain/usage/types.ts'
import { confirmedCharge } from './confirmed-charge.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Ending } from './ending.ts'
import type { Admitted } from './stages.ts'

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
  return confirmedCharge(settled, { logger: dependencies.logger, requestId: admitted.requestId })
}

function createSettlement(dependencies: CompletionDependencies, admitted: Admitted, ending: Ending): Settlement {
  const { prices } = admitted.model
  const priced = capCharge(chargeUsage(ending.reading.usage, prices, ending.fees), admitted.holdNano)
  const charge = ending.billing === 'usage' ? priced.charge : chargeFees(ending.fees, prices)
  const given = priced.charge.totalNano + priced.excessNano - charge.totalNano
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
