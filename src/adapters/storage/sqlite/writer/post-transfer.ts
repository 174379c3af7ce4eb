import type { Selectable } from 'kysely'
import { StoreConflict } from '../../../../core/store-error.ts'
import { customerOf } from '../../../../domain/ledger/ledger-account.ts'
import type { Transfer } from '../../../../domain/ledger/types.ts'
import { fromDbAmount, fromDbNumber } from '../../sql/mapping.ts'
import type { TransfersTable } from '../../sql/tables.ts'
import { transferIdOf } from '../../sql/texts/transfer-hash.ts'
import type { SqliteDatabase } from '../connection.ts'
import type { AccountRow } from './account-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'

export interface PostedTransfer {
  readonly transferId: string
  readonly repeated: boolean
}

export type PostTransfer = (unit: LedgerUnit, transfer: Transfer) => PostedTransfer

type TransferRow = Selectable<TransfersTable>

/**
 * Posts what is not a settlement: grants, top-ups, refunds, clawbacks. A refund names its hold, and a hold's refunds never
 * exceed what it was charged.
 */
export function createPostTransfer(database: SqliteDatabase): PostTransfer {
  const selectByKey = database.prepare('select * from transfers where idempotency_key = ?')
  const selectLines = database.prepare(
    'select code, amount_nano from transfers where hold_seq = ? and line is not null',
  )

  function refundedHold(unit: LedgerUnit, { holdId, code, amountNano }: Transfer): number | null {
    if (holdId === null) return null
    if (code !== 'refund') throw new RangeError('only a refund names a hold')
    const resolution = unit.findResolution(holdId)
    if (resolution === null) throw new RangeError('a refund must name a hold that was settled')
    const lines = selectLines.all([resolution.holdSeq]) as Pick<TransferRow, 'code' | 'amount_nano'>[]
    const refunds = lines.filter(line => line.code === 'refund')
    const refundedNano = refunds.reduce((sum, line) => sum + fromDbAmount(line.amount_nano), amountNano)
    if (refundedNano > resolution.costNano) throw new RangeError('refunds must not exceed the charge')
    return resolution.holdSeq
  }

  /** @throws StoreConflict when the key stands for another transfer. @throws RangeError when there can be no such transfer. */
  return function postTransfer(unit, transfer) {
    const customer = checkSides(unit, transfer)
    unit.flush()
    const first = selectByKey.get([transfer.idempotencyKey]) as TransferRow | undefined
    if (first !== undefined) return repeat(first, transfer)
    const { id, code, debit, credit, amountNano, idempotencyKey, note, createdAtMs } = transfer
    const holdSeq = refundedHold(unit, transfer)
    const line = holdSeq === null ? null : `refund:${idempotencyKey}`
    unit.transfers.add({
      code,
      debit,
      credit,
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

function repeat(first: TransferRow, transfer: Transfer): PostedTransfer {
  const { code, debit, credit, note, amountNano } = transfer
  const same = first.code === code && first.debit === debit && first.credit === credit && first.note === note
  if (!same || fromDbAmount(first.amount_nano) !== amountNano)
    throw new StoreConflict('this idempotency key stands for another transfer')
  return { transferId: transferIdOf({ seq: fromDbNumber(first.seq), id: first.id }), repeated: true }
}

/** The customer among the two sides, if one of them is. */
function checkSides(unit: LedgerUnit, { code, debit, credit, amountNano }: Transfer): AccountRow | null {
  if (code === 'usage' || code === 'adjust') throw new RangeError('usage is posted by settlements only')
  if (amountNano <= 0n) throw new RangeError('a transfer moves more than nothing')
  if (debit === credit) throw new RangeError('a transfer has two sides')
  const [customerId, other] = [customerOf(debit), customerOf(credit)].filter(id => id !== null)
  if (other !== undefined) throw new RangeError('customers do not pay each other')
  if (customerId === undefined) return null
  const account = unit.accounts.find(customerId)
  if (account === null) throw new RangeError('no such account')
  return account
}
