import type { Charge } from '../core/price.ts'
import { noUsage } from '../core/usage.ts'
import type { Outcome, UsageRecord } from '../domain/usage/types.ts'
import { confirmedCharge } from './confirmed-charge.ts'
import type { Sale, SaleDependencies, Ware } from './sale.ts'

/** How a sale ended. Only what is paid is charged, as one piece. */
interface SaleEnding {
  readonly outcome: Outcome
  readonly status: number
  readonly isPaid: boolean
}

/** Resolves the hold of a sale, at most once whoever else tries, and tells the observers. */
export async function settleSale(dependencies: SaleDependencies, sale: Sale, ending: SaleEnding): Promise<void> {
  const { ledger, observer, logger, clock } = dependencies
  const charge = ending.isPaid ? chargeOf(sale.order.ware) : { lines: [], totalNano: 0n }
  const record = recordOf(dependencies, sale, ending)
  const settled = ledger.settle({
    holdId: record.holdId,
    chargeNano: charge.totalNano,
    lines: charge.lines,
    writeoffNano: 0n,
    tokensUsed: 0,
    freeFailure: null,
    record,
    atMs: clock.now(),
  })
  const taken = await confirmedCharge(settled, { logger, requestId: record.requestId })
  const { generationId: completionId, createdAtMs: startedAtMs, ...facts } = record
  observer.completed({
    ...facts,
    completionId,
    keyId: sale.request.keyId,
    node: null,
    engineModel: null,
    charge: taken,
    startedAtMs,
    chunkGapMs: null,
  })
}

function chargeOf({ kind, prices }: Ware): Charge {
  const amountNano = prices.searchNano
  return { lines: amountNano === 0n ? [] : [{ kind, quantity: 1, amountNano }], totalNano: amountNano }
}

function recordOf({ clock }: SaleDependencies, { order, request }: Sale, ending: SaleEnding): UsageRecord {
  return {
    requestId: request.requestId,
    generationId: request.generationId,
    holdId: request.holdId,
    accountId: request.accountId,
    keyId: request.keyId,
    surface: request.surface,
    model: request.model,
    engine: null,
    engineCompletionId: null,
    status: ending.status,
    stream: false,
    usage: noUsage,
    usageSource: 'engine',
    finishReason: null,
    outcome: ending.outcome,
    priceVersion: request.priceVersion,
    attempts: [],
    firstByteMs: null,
    totalMs: Math.round(clock.monotonic() - order.startedAtMs),
    costDelivered: ending.isPaid,
    createdAtMs: order.receivedAtMs,
  }
}
