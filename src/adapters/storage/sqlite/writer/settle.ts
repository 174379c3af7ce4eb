import type { AccountId } from '../../../../core/ids.ts'
import { type Amount, maxAmount, minAmount } from '../../../../core/money.ts'
import { capCharge } from '../../../../domain/ledger/cap-charge.ts'
import { type ChargeDecision, decideCharge } from '../../../../domain/ledger/decide-charge.ts'
import type { Settlement, SettlementResult } from '../../../../domain/ledger/types.ts'
import type { AccountRow } from './account-rows.ts'
import { bookCharge } from './book-charge.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { FoundResolution, RecordFacts } from './record-rows.ts'
import { resolveHold } from './resolve-hold.ts'

/** A settlement on its way to the writer: the record's searchable part, and the rest as the text that is stored. */
export interface PackedSettlement extends Omit<Settlement, 'record'> {
  readonly record: RecordFacts
}

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
  resolveHold(unit, {
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
  return { effect: 'settled', chargedNano, lines }
}

/** What comes after the resolution changes nothing, unless that was a guess for a process believed dead. */
function settleResolved(unit: LedgerUnit, settlement: PackedSettlement): SettlementResult {
  const found = unit.findResolution(settlement.holdId)
  if (found === null) throw new RangeError('no such hold')
  return found.adjustable
    ? adjust(unit, found, settlement)
    : { effect: 'already', chargedNano: found.costNano, lines: found.lines }
}

/**
 * The late settlement of a hold that was resolved without it: posts the difference, once. The money may have been spent
 * on other requests since, so it takes no more than the account still has; a hold's promise does not outlive the hold.
 */
function adjust(unit: LedgerUnit, found: FoundResolution, settlement: PackedSettlement): SettlementResult {
  const account = accountOf(unit, found.accountId)
  const decision = decide(unit, account, { settlement, heldNano: found.heldNano })
  const leftNano = maxAmount(account.balanceNano - account.heldNano + found.overdraftNano, 0n)
  const asked = { lines: decision.lines, totalNano: decision.chargedNano }
  const { charge, excessNano } = capCharge(asked, minAmount(found.heldNano, found.costNano + leftNano))
  const costNano = charge.totalNano
  const { holdSeq, keyId } = found
  const amountNano = costNano - found.costNano
  bookCharge(unit, { account, keyId, holdSeq, line: 'adjust', amountNano, atMs: settlement.atMs })
  unit.records.correct(holdSeq, {
    record: settlement.record,
    costNano,
    lines: charge.lines,
    writeoffNano: decision.writeoffNano + excessNano,
    balanceAfterNano: account.balanceNano,
  })
  return { effect: 'adjusted', chargedNano: costNano, lines: charge.lines }
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
