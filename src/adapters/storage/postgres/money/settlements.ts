import type { ChargeLine } from '../../../../core/price.ts'
import type { ProgressMark, SettlementResult } from '../../../../domain/ledger/types.ts'
import type { PackedSettlement } from '../../groups/operations.ts'
import { toDbFlag } from '../../sql/mapping.ts'
import { decodeParts } from '../../sql/texts/currency-parts.ts'
import { decodeChargeLines, encodeChargeLines } from '../../sql/texts/usage-details.ts'

/** A settlement as the functions take it: its members are those of the type `rialto_settlement`. */
export function toDbSettlement(settlement: PackedSettlement, { swept }: { readonly swept: boolean }): object {
  const { freeFailure, record } = settlement
  const { usage } = record
  return {
    hold_id: settlement.holdId,
    charge_nano: settlement.chargeNano.toString(),
    lines: encodeChargeLines(settlement.lines.filter(isCharged)),
    writeoff_nano: settlement.writeoffNano.toString(),
    tokens_used: settlement.tokensUsed,
    at_ms: settlement.atMs,
    swept,
    free_allowance: freeFailure === null ? null : freeFailure.allowancePerHour,
    free_charge_nano: freeFailure === null ? null : freeFailure.chargeNano.toString(),
    free_lines: freeFailure === null ? null : encodeChargeLines(freeFailure.lines.filter(isCharged)),
    generation_id: record.generationId,
    model: record.model,
    outcome: record.outcome,
    cost_delivered: toDbFlag(record.costDelivered),
    created_at_ms: record.createdAtMs,
    details: record.details,
    status: record.status,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    reasoning_tokens: usage.reasoningTokens,
  }
}

export function toDbMark({ holdId, chargeNano, promptTokens, completionTokens, fees }: ProgressMark): object {
  return {
    hold_id: holdId,
    charge_nano: chargeNano.toString(),
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    searches: fees.searches,
    pages: fees.pages,
  }
}

/** What `rialto_settle` says of each settlement: null for a hold that is not open; lines only when not those asked for. */
export type SettledAnswer = readonly [chargedNano: string, lines: string | null, paid: string | null] | null

export function decodeSettled(answer: NonNullable<SettledAnswer>, asked: PackedSettlement): SettlementResult {
  const [charged, lines, paid] = answer
  return {
    effect: 'settled',
    chargedNano: BigInt(charged),
    paid: decodeParts(paid),
    lines: lines === null ? asked.lines.filter(isCharged) : decodeChargeLines(lines),
  }
}

/** What `rialto_settle_late` says: null when there never was such a hold. */
export type LateAnswer =
  | readonly [effect: 'already' | 'adjusted', chargedNano: string, lines: string, paid: string | null]
  | null

export function decodeLate([effect, charged, lines, paid]: NonNullable<LateAnswer>): SettlementResult {
  return { effect, chargedNano: BigInt(charged), paid: decodeParts(paid), lines: decodeChargeLines(lines) }
}

function isCharged({ amountNano }: ChargeLine): boolean {
  return amountNano > 0n
}
