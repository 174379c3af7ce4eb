import type { KeyId } from '../../../../core/ids.ts'
import type { Amount } from '../../../../core/money.ts'
import { periodStart } from '../../../../domain/admission/limit-period.ts'
import { customerAccount, revenueAccount } from '../../../../domain/ledger/ledger-account.ts'
import type { AccountRow } from './account-rows.ts'
import type { KeyRow } from './key-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'

export interface BookedCharge {
  readonly account: AccountRow
  readonly keyId: KeyId | null
  readonly holdSeq: number
  readonly line: 'usage' | 'adjust'
  /** Below zero when a correction gives back. */
  readonly amountNano: Amount
  readonly atMs: number
}

/** Posts the transfer of a charge and counts it as the key's spending. A charge of nothing posts nothing (money.md §2). */
export function bookCharge(unit: LedgerUnit, charge: BookedCharge): void {
  const { account, keyId, holdSeq, line, amountNano, atMs } = charge
  if (amountNano === 0n) return
  const customer = customerAccount(account.id)
  const givesBack = amountNano < 0n
  unit.transfers.add({
    code: line,
    debit: givesBack ? revenueAccount : customer,
    credit: givesBack ? customer : revenueAccount,
    amountNano: givesBack ? -amountNano : amountNano,
    customer: account,
    holdSeq,
    line,
    id: null,
    idempotencyKey: null,
    note: '',
    createdAtMs: atMs,
  })
  const key = keyId === null ? null : unit.keys.find(keyId)
  if (key === null) return
  countSpending(key, amountNano, atMs)
  unit.keys.markChanged(key)
  unit.keyDays.add(key.no, atMs, amountNano)
}

/** A charge counts in the period in which it is settled; a correction never makes a period's spending negative. */
function countSpending(key: KeyRow, amountNano: Amount, atMs: number): void {
  const startMs = periodStart(key.period, atMs)
  if (startMs > key.periodStartMs) {
    key.periodStartMs = startMs
    key.spentNano = 0n
  }
  const spentNano = key.spentNano + amountNano
  key.spentNano = spentNano > 0n ? spentNano : 0n
}
