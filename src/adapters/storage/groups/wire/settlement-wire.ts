import type { ChargeKind, ChargeLine } from '../../../../core/price.ts'
import type { Usage } from '../../../../core/usage.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import type { Outcome } from '../../../../domain/usage/types.ts'
import type { PackedSettlement } from '../operations.ts'
import { decodeParts, encodeParts, type PartsWire } from './parts-wire.ts'

type LineWire = [kind: ChargeKind, quantity: number, amountNano: bigint]
type UsageWire = [prompt: number, completion: number, cached: number, cacheWrite: number, reasoning: number]
type FreeFailureWire = [allowancePerHour: number, chargeNano: bigint, ...lines: LineWire[]]

/** A settlement as a list of values; see decision-wire.ts for why. */
export type SettlementWire = [
  holdId: string,
  chargeNano: bigint,
  writeoffNano: bigint,
  tokensUsed: number,
  atMs: number,
  generationId: string,
  model: string,
  outcome: Outcome,
  costDelivered: boolean,
  createdAtMs: number,
  details: string,
  status: number,
  ...usage: UsageWire,
  freeFailure: FreeFailureWire | null,
  ...lines: LineWire[],
]

export type SettlementResultWire = [
  effect: SettlementResult['effect'],
  chargedNano: bigint,
  paid: PartsWire | null,
  ...lines: LineWire[],
]

export function encodeSettlement(settlement: PackedSettlement): SettlementWire {
  const { holdId, chargeNano, writeoffNano, tokensUsed, atMs, record, freeFailure, lines } = settlement
  return [
    holdId,
    chargeNano,
    writeoffNano,
    tokensUsed,
    atMs,
    record.generationId,
    record.model,
    record.outcome,
    record.costDelivered,
    record.createdAtMs,
    record.details,
    record.status,
    ...encodeUsage(record.usage),
    freeFailure === null
      ? null
      : [freeFailure.allowancePerHour, freeFailure.chargeNano, ...freeFailure.lines.map(encodeLine)],
    ...lines.map(encodeLine),
  ]
}

export function decodeSettlement(wire: SettlementWire): PackedSettlement {
  const [holdId, chargeNano, writeoffNano, tokensUsed, atMs, generationId, model, outcome, ...rest] = wire
  const [costDelivered, createdAtMs, details, status, prompt, completion, cached, cacheWrite, reasoning, ...end] = rest
  const [freeFailure, ...lines] = end
  return {
    holdId,
    chargeNano,
    writeoffNano,
    tokensUsed,
    atMs,
    record: {
      ...{ generationId, model, outcome, costDelivered, createdAtMs, details, status },
      usage: decodeUsage([prompt, completion, cached, cacheWrite, reasoning]),
    },
    freeFailure: freeFailure === null ? null : decodeFreeFailure(freeFailure),
    lines: lines.map(decodeLine),
  }
}

export function encodeSettlementResult({ effect, chargedNano, paid, lines }: SettlementResult): SettlementResultWire {
  return [effect, chargedNano, encodeParts(paid), ...lines.map(encodeLine)]
}

export function decodeSettlementResult(wire: SettlementResultWire): SettlementResult {
  const [effect, chargedNano, paid, ...lines] = wire
  return { effect, chargedNano, paid: decodeParts(paid), lines: lines.map(decodeLine) }
}

function decodeFreeFailure(wire: FreeFailureWire): NonNullable<PackedSettlement['freeFailure']> {
  const [allowancePerHour, chargeNano, ...lines] = wire
  return { allowancePerHour, chargeNano, lines: lines.map(decodeLine) }
}

function encodeUsage(usage: Usage): UsageWire {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage
  return [promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens]
}

function decodeUsage([
  promptTokens,
  completionTokens,
  cachedTokens,
  cacheWriteTokens,
  reasoningTokens,
]: UsageWire): Usage {
  return { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens }
}

function encodeLine({ kind, quantity, amountNano }: ChargeLine): LineWire {
  return [kind, quantity, amountNano]
}

function decodeLine([kind, quantity, amountNano]: LineWire): ChargeLine {
  return { kind, quantity, amountNano }
}
