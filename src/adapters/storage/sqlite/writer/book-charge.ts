import { type Currency, type CurrencyParts, sumOfParts } from '../../../../core/currency.ts'
import type { KeyId } from '../../../../core/ids.ts'
import type { Amount } from '../../../../core/money.ts'
import { periodStart } from '../../../../domain/admission/limit-period.ts'
import { customerAccount, revenueAccount } from '../../../../domain/ledger/ledger-account.ts'
import { allowanceNote } from '../../sql/texts/currency-parts.ts'
import { linesOf, spendDiem } from './account-funds.ts'
import type { AccountRow } from './account-rows.ts'
import type { KeyRow } from './key-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'

export interface BookedCharge {
  readonly account: AccountRow
  readonly keyId: KeyId | null
  readonly holdSeq: number
  readonly line: 'usage' | 'adjust'
  /** Below zero when a correction gives back. */
  readonly usdNano: Amount
  /** Each of them below zero when a correction gives back. */
  readonly parts: CurrencyParts | null
  readonly atMs: number
}

/**
 * Posts a transfer for each currency of a charge and counts it as the key's spending. A charge of nothing posts nothing
 * (money.md §2).
 */
export function bookCharge(unit: LedgerUnit, charge: BookedCharge): void {
  const { account, keyId, parts, usdNano, atMs } = charge
  const lines = linesOf(charge).filter(([, amountNano]) => amountNano !== 0n)
  if (lines.length === 0) return
  if (parts !== null) spendDiem(account, parts.diemDay, parts.diemNano)
  for (const [currency, amountNano] of lines) post(unit, charge, { currency, amountNano })
  const key = keyId === null ? null : unit.keys.find(keyId)
  if (key === null) return
  const diemNano = parts?.diemNano ?? 0n
  countSpending(key, { amountNano: usdNano + sumOfParts(parts) - diemNano, diemNano, atMs })
  unit.keys.markChanged(key)
}

function post(
  unit: LedgerUnit,
  { account, holdSeq, line, parts, atMs }: BookedCharge,
  { currency, amountNano }: { readonly currency: Currency; readonly amountNano: Amount },
): void {
  const customer = customerAccount(account.id)
  const givesBack = amountNano < 0n
  unit.transfers.add({
    code: line,
    debit: givesBack ? revenueAccount : customer,
    credit: givesBack ? customer : revenueAccount,
    currency,
    amountNano: givesBack ? -amountNano : amountNano,
    customer: account,
    holdSeq,
    line,
    id: null,
    idempotencyKey: null,
    note: currency === 'diem' && parts !== null ? allowanceNote(parts.diemDay) : '',
    createdAtMs: atMs,
  })
}

interface Spending {
  /** In all currencies but DIEM. */
  readonly amountNano: Amount
  readonly diemNano: Amount
  readonly atMs: number
}

/** A charge counts in the period in which it is settled; a correction never makes a period's spending negative. */
function countSpending(key: KeyRow, { amountNano, diemNano, atMs }: Spending): void {
  const startMs = periodStart(key.period, atMs)
  if (startMs > key.periodStartMs) {
    key.periodStartMs = startMs
    key.spentNano = 0n
    key.spentDiemNano = 0n
  }
  const [spentNano, spentDiemNano] = [key.spentNano + amountNano, key.spentDiemNano + diemNano]
  key.spentNano = spentNano > 0n ? spentNano : 0n
  key.spentDiemNano = spentDiemNano > 0n ? spentDiemNano : 0n
}
