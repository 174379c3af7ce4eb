import type { Amount } from '../../core/money.ts'
import type { ChargeLine } from '../../core/price.ts'
import { capCharge } from './cap-charge.ts'
import type { Settlement } from './types.ts'

/**
 * What a settlement really does to the books: the lines add up to the charge, each of them is above zero, and the charge
 * is within the hold.
 */
export interface ChargeDecision {
  readonly chargedNano: Amount
  readonly lines: readonly ChargeLine[]
  /** What was delivered or reported and is not charged. */
  readonly writeoffNano: Amount
  /** True when this settlement used up one of the account's free failures. */
  readonly usedFreeFailure: boolean
}

/**
 * Decides what the settlement of an open hold takes: never more than the hold (money.md §3); a free failure is free
 * only while the account's allowance for the hour lasts, then its delivered tokens are charged.
 * `freeFailuresInHour` counts those before this one.
 */
export function decideCharge(
  settlement: Pick<Settlement, 'chargeNano' | 'lines' | 'writeoffNano' | 'freeFailure'>,
  facts: { readonly heldNano: Amount; readonly freeFailuresInHour: number },
): ChargeDecision {
  const { freeFailure } = settlement
  if (freeFailure === null)
    return { ...within(facts.heldNano, settlement, settlement.writeoffNano), usedFreeFailure: false }
  if (facts.freeFailuresInHour < freeFailure.allowancePerHour)
    return { ...within(facts.heldNano, settlement, settlement.writeoffNano), usedFreeFailure: true }
  return { ...within(facts.heldNano, freeFailure, 0n), usedFreeFailure: false }
}

function within(
  heldNano: Amount,
  asked: { readonly chargeNano: Amount; readonly lines: readonly ChargeLine[] },
  writeoffNano: Amount,
): Omit<ChargeDecision, 'usedFreeFailure'> {
  const { charge, excessNano } = capCharge({ lines: asked.lines, totalNano: asked.chargeNano }, heldNano)
  return {
    chargedNano: charge.totalNano,
    lines: charge.lines.filter(line => line.amountNano > 0n),
    writeoffNano: writeoffNano + excessNano,
  }
}
