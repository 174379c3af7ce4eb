import type { Selectable } from 'kysely'
import { type Currency, sumOfParts } from '../../../../core/currency.ts'
import type { Amount } from '../../../../core/money.ts'
import type { Transfer } from '../../../../domain/ledger/types.ts'
import { checkRepeated, customerSide, refundLine } from '../../groups/check-transfer.ts'
import type { PostedTransfer } from '../../groups/operations.ts'
import { fromDbAmount, fromDbNumber } from '../../sql/mapping.ts'
import type { TransfersTable } from '../../sql/tables.ts'
import { transferIdOf } from '../../sql/texts/transfer-hash.ts'
import type { SqliteDatabase } from '../connection.ts'
import type { AccountRow } from './account-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { FoundResolution } from './record-rows.ts'

export type PostTransfer = (unit: LedgerUnit, transfer: Transfer) => PostedTransfer

type TransferRow = Selectable<TransfersTable>

/**
 * Posts what is not a settlement: grants, top-ups, refunds, clawbacks. A refund names its hold, and a hold's refunds never
 * exceed what it was charged.
 */
export function createPostTransfer(database: SqliteDatabase): PostTransfer {
  const selectByKey = database.prepare('select * from transfers where idempotency_key = ?')
  const selectLines = database.prepare(
    'select code, amount_nano from transfers where hold_seq = ? and line is not null and asset = ?',
  )

  function refundedHold(unit: LedgerUnit, { holdId, currency, amountNano }: Transfer): number | null {
    if (holdId === null) return null
    const resolution = unit.findResolution(holdId)
    if (resolution === null) throw new RangeError('a refund must name a hold that was settled')
    const lines = selectLines.all([resolution.holdSeq, currency]) as Pick<TransferRow, 'code' | 'amount_nano'>[]
    const refunds = lines.filter(line => line.code === 'refund')
    const refundedNano = refunds.reduce((sum, line) => sum + fromDbAmount(line.amount_nano), amountNano)
    if (refundedNano > paidIn(currency, resolution)) throw new RangeError('refunds must not exceed the charge')
    return resolution.holdSeq
  }

  /** @throws StoreConflict when the key stands for another transfer. @throws RangeError when there can be no such transfer. */
  return function postTransfer(unit, transfer) {
    const customer = findCustomer(unit, transfer)
    unit.flush()
    const first = selectByKey.get([transfer.idempotencyKey]) as TransferRow | undefined
    if (first !== undefined) return repeat(first, transfer)
    const { id, code, debit, credit, currency, amountNano, idempotencyKey, note, createdAtMs } = transfer
    const holdSeq = refundedHold(unit, transfer)
    const line = refundLine(transfer)
    unit.transfers.add({
      code,
      debit,
      credit,
      currency,
      amountNano,
      customer,
      holdSeq,
      line,
      id,
      idempotencyKey,
      note,
      createdAtMs,
    })
    return { transferId: id, repeated: false }
  }
}

function paidIn(currency: Currency, { costNano, paidParts }: FoundResolution): Amount {
  if (currency === 'usd') return costNano - sumOfParts(paidParts)
  return paidParts?.[`${currency}Nano`] ?? 0n
}

function repeat(first: TransferRow, transfer: Transfer): PostedTransfer {
  checkRepeated({ ...first, amountNano: fromDbAmount(first.amount_nano) }, transfer)
  return { transferId: transferIdOf({ seq: fromDbNumber(first.seq), id: first.id }), repeated: true }
}

function findCustomer(unit: LedgerUnit, transfer: Transfer): AccountRow | null {
  const customerId = customerSide(transfer)
  if (customerId === null) return null
  const account = unit.accounts.find(customerId)
  if (account === null) throw new RangeError('no such account')
  return account
}
