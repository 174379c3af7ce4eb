import { payFrom } from '../../../../core/currency.ts'
import type { AccountId } from '../../../../core/ids.ts'
import type { Amount } from '../../../../core/money.ts'
import { capCharge } from '../../../../domain/ledger/cap-charge.ts'
import { type ChargeDecision, decideCharge } from '../../../../domain/ledger/decide-charge.ts'
import { differenceOf, findLateRoom } from '../../../../domain/ledger/pay-late.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import type { PackedSettlement } from '../../groups/operations.ts'
import type { AccountRow } from './account-rows.ts'
import { bookCharge } from './book-charge.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { FoundResolution } from './record-rows.ts'
import { resolveHold } from './resolve-hold.ts'

const hourMs = 3_600_000

/**
 * Resolves a hold: at most one settlement per hold has an effect, whichever ending comes first (money.md §2).
 * @throws RangeError when there never was such a hold.
 */
export function settle(unit: LedgerUnit, settlement: PackedSettlement): SettlementResult {
  const hold = unit.holds.find(settlement.holdId)
  if (hold === null) return settleResolved(unit, settlement)
  const account = accountOf(unit, hold.accountId)
  const decision = decide(unit, account, { settlement, heldNano: hold.amountNano })
  const { chargedNano, lines, writeoffNano } = decision
  const { record, tokensUsed, atMs } = settlement
  const paid = resolveHold(unit, {
    hold,
    account,
    record,
    swept: false,
    costNano: chargedNano,
    lines,
    writeoffNano,
    tokensUsed,
    atMs,
  })
  return { effect: 'settled', chargedNano, paid, lines }
}

/** What comes after the resolution changes nothing, unless that was a guess for a process believed dead. */
function settleResolved(unit: LedgerUnit, settlement: PackedSettlement): SettlementResult {
  const found = unit.findResolution(settlement.holdId)
  if (found === null) throw new RangeError('no such hold')
  return found.adjustable
    ? adjust(unit, found, settlement)
    : { effect: 'already', chargedNano: found.costNano, paid: found.paidParts, lines: found.lines }
}

/**
 * The late settlement of a hold that was resolved without it: posts the difference, once. The money may have been spent
 * on other requests since, so it takes no more than the account still has; a hold's promise does not outlive the hold.
 */
function adjust(unit: LedgerUnit, found: FoundResolution, settlement: PackedSettlement): SettlementResult {
  const account = accountOf(unit, found.accountId)
  const decision = decide(unit, account, { settlement, heldNano: found.heldNano })
  const { balanceNano, heldNano: accountHeldNano, funds } = account
  const room = findLateRoom({ ...found, balanceNano, accountHeldNano, funds })
  const asked = { lines: decision.lines, totalNano: decision.chargedNano }
  const { charge, excessNano } = capCharge(asked, room.totalNano)
  const costNano = charge.totalNano
  const paid = payFrom(room.parts, costNano)
  const difference = differenceOf({ costNano, parts: paid }, { costNano: found.costNano, parts: found.paidParts })
  const { holdSeq, keyId } = found
  bookCharge(unit, { account, keyId, holdSeq, line: 'adjust', ...difference, atMs: settlement.atMs })
  unit.correct(found, {
    record: settlement.record,
    costNano,
    paid,
    lines: charge.lines,
    writeoffNano: decision.writeoffNano + excessNano,
    balanceAfterNano: account.balanceNano,
  })
  return { effect: 'adjusted', chargedNano: costNano, paid, lines: charge.lines }
}

/** Decides the charge and uses up a free failure of the account's hour when the decision says so. */
function decide(
  unit: LedgerUnit,
  account: AccountRow,
  { settlement, heldNano }: { readonly settlement: PackedSettlement; readonly heldNano: Amount },
): ChargeDecision {
  const hour = Math.floor(settlement.atMs / hourMs)
  const freeFailuresInHour = account.freeFailureHour === hour ? account.freeFailures : 0
  const decision = decideCharge(settlement, { heldNano, freeFailuresInHour })
  if (decision.usedFreeFailure) {
    account.freeFailureHour = hour
    account.freeFailures = freeFailuresInHour + 1
    unit.accounts.markChanged(account)
  }
  return decision
}

function accountOf(unit: LedgerUnit, id: AccountId): AccountRow {
  const account = unit.accounts.find(id)
  if (account === null) throw new Error('a hold belongs to an account that is not there')
  return account
}
