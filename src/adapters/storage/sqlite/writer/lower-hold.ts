import { payFrom } from '../../../../core/currency.ts'
import type { LoweredHold } from '../../../../domain/ledger/types.ts'
import { holdFunds, releaseFunds } from './account-funds.ts'
import type { LedgerUnit } from './ledger-unit.ts'

/** Gives back what an open hold has above the amount. What stays is what comes first in the order of spending (money.md §4). */
export function lowerHold(unit: LedgerUnit, { holdId, amountNano }: LoweredHold): void {
  if (amountNano < 0n) throw new RangeError('a hold is not below zero')
  const hold = unit.holds.find(holdId)
  if (hold === null || hold.amountNano <= amountNano) return
  const account = unit.accounts.find(hold.accountId)
  const key = unit.keys.find(hold.keyId)
  if (account === null) throw new Error('a hold belongs to an account that is not there')
  const parts = payFrom(hold.parts, amountNano)
  releaseFunds(account, hold.amountNano, hold.parts)
  holdFunds(account, { holdNano: amountNano, parts })
  unit.accounts.markChanged(account)
  if (key !== null) {
    const [diemBefore, diemAfter] = [hold.parts?.diemNano ?? 0n, parts?.diemNano ?? 0n]
    key.heldNano += amountNano - diemAfter - (hold.amountNano - diemBefore)
    key.heldDiemNano += diemAfter - diemBefore
    unit.keys.markChanged(key)
  }
  unit.holds.lower(hold, { amountNano, parts })
}
