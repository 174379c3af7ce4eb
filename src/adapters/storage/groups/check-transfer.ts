import type { AccountId } from '../../../core/ids.ts'
import { StoreConflict } from '../../../core/store-error.ts'
import { customerOf } from '../../../domain/ledger/ledger-account.ts'
import type { Transfer } from '../../../domain/ledger/types.ts'

/**
 * The customer among a transfer's two sides, if one of them is.
 * @throws RangeError when there can be no such transfer.
 */
export function customerSide({ code, debit, credit, currency, amountNano, holdId }: Transfer): AccountId | null {
  if (code === 'usage' || code === 'adjust') throw new RangeError('usage is posted by settlements only')
  if (currency === 'diem') throw new RangeError('an allowance is spent by settlements only')
  if (amountNano <= 0n) throw new RangeError('a transfer moves more than nothing')
  if (debit === credit) throw new RangeError('a transfer has two sides')
  if (holdId !== null && code !== 'refund') throw new RangeError('only a refund names a hold')
  const [customer, other] = [customerOf(debit), customerOf(credit)].filter(id => id !== null)
  if (other !== undefined) throw new RangeError('customers do not pay each other')
  return customer ?? null
}

/** The line of a refund of a hold, which is unique; other transfers are no line of a hold. */
export function refundLine({ holdId, idempotencyKey }: Transfer): string | null {
  return holdId === null ? null : `refund:${idempotencyKey}`
}

/** @throws StoreConflict when the key of the first transfer stands for something else than this one. */
export function checkRepeated(
  first: {
    readonly code: string
    readonly debit: string
    readonly credit: string
    readonly note: string
    readonly asset: string
    readonly amountNano: bigint
  },
  { code, debit, credit, note, currency, amountNano }: Transfer,
): void {
  const same = first.code === code && first.debit === debit && first.credit === credit && first.note === note
  if (!same || first.asset !== currency || first.amountNano !== amountNano)
    throw new StoreConflict('this idempotency key stands for another transfer')
}
