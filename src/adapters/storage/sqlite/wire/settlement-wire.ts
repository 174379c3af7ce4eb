import type { ChargeKind, ChargeLine } from '../../../../core/price.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import type { Outcome } from '../../../../domain/usage/types.ts'
import type { PackedSettlement } from '../writer/settle.ts'

type LineWire = [kind: ChargeKind, quantity: number, amountNano: bigint]
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
  freeFailure: FreeFailureWire | null,
  ...lines: LineWire[],
]

export type SettlementResultWire = [effect: SettlementResult['effect'], chargedNano: bigint, ...lines: LineWire[]]

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
    freeFailure === null
      ? null
      : [freeFailure.allowancePerHour, freeFailure.chargeNano, ...freeFailure.lines.map(encodeLine)],
    ...lines.map(encodeLine),
  ]
}

export function decodeSettlement(wire: SettlementWire): PackedSettlement {
  const [holdId, chargeNano, writeoffNano, tokensUsed, atMs, generationId, model, outcome, ...rest] = wire
  const [costDelivered, createdAtMs, details, freeFailure, ...lines] = rest
  return {
    holdId,
    chargeNano,
    writeoffNano,
    tokensUsed,
    atMs,
    record: { generationId, model, outcome, costDelivered, createdAtMs, details },
    freeFailure: freeFailure === null ? null : decodeFreeFailure(freeFailure),
    lines: lines.map(decodeLine),
  }
}

export function encodeSettlementResult({ effect, chargedNano, lines }: SettlementResult): SettlementResultWire {
  return [effect, chargedNano, ...lines.map(encodeLine)]
}

export function decodeSettlementResult(wire: SettlementResultWire): SettlementResult {
  const [effect, chargedNano, ...lines] = wire
  return { effect, chargedNano, lines: lines.map(decodeLine) }
}

function decodeFreeFailure(wire: FreeFailureWire): NonNullable<PackedSettlement['freeFailure']> {
  const [allowancePerHour, chargeNano, ...lines] = wire
  return { allowancePerHour, chargeNano, lines: lines.map(decodeLine) }
}

function encodeLine({ kind, quantity, amountNano }: ChargeLine): LineWire {
  return [kind, quantity, amountNano]
}

function decodeLine([kind, quantity, amountNano]: LineWire): ChargeLine {
  return { kind, quantity, amountNano }
}
