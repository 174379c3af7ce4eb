import { customerAccount } from '../../../../domain/ledger/ledger-account.ts'
import type { TransferCode } from '../../../../domain/ledger/types.ts'
import { hashTransfer } from '../../sql/transfer-hash.ts'
import type { SqliteDatabase } from '../connection.ts'
import type { AccountRow, AccountRows } from './account-rows.ts'
import { createBulkStatement, insertText } from './bulk-statement.ts'
import type { LedgerHead } from './ledger-head.ts'

/** A transfer between a customer and one of the ledger's own accounts, or between two of those (customer null). */
export interface NewTransfer {
  readonly code: TransferCode
  readonly debit: string
  readonly credit: string
  readonly amountNano: bigint
  readonly customer: AccountRow | null
  /** Hold, line and asset are unique together: `usage`, `adjust`, and one line per refund. */
  readonly holdSeq: number | null
  readonly line: string | null
  /** Null for the lines of a settlement: their place in the chain names them, and their hold makes them unique. */
  readonly id: string | null
  readonly idempotencyKey: string | null
  readonly note: string
  readonly createdAtMs: number
}

export interface TransferRows {
  readonly pending: number
  add(transfer: NewTransfer): void
  flush(): void
  forget(): void
}

/** The one asset there is so far; lines of a hold are unique per asset (money.md §2). */
const asset = 'usd'

const insertColumns = [
  'seq',
  'id',
  'code',
  'debit',
  'credit',
  'asset',
  'amount_nano',
  'customer_no',
  'balance_after_nano',
  'hold_seq',
  'line',
  'note',
  'idempotency_key',
  'created_at_ms',
  'hash',
]

/** Appends to the chain of transfers and moves the customer's sums with it. */
export function createTransferRows(
  database: SqliteDatabase,
  head: LedgerHead,
  accounts: Pick<AccountRows, 'markChanged'>,
): TransferRows {
  const inserts = createBulkStatement(database, insertColumns.length, rows =>
    insertText('transfers', insertColumns, rows),
  )
  return {
    get pending() {
      return inserts.pending
    },
    add(transfer) {
      const { customer, ...content } = transfer
      if (customer !== null) {
        moveSums(customer, transfer)
        accounts.markChanged(customer)
      }
      const hashed = { ...content, asset, seq: head.lastTransferSeq + 1 }
      const hash = hashTransfer(head.lastTransferHash, hashed)
      head.appendTransfer(hash)
      inserts.add([
        hashed.seq,
        content.id,
        content.code,
        content.debit,
        content.credit,
        asset,
        content.amountNano,
        customer?.no ?? null,
        customer?.balanceNano ?? null,
        content.holdSeq,
        content.line,
        content.note,
        content.idempotencyKey,
        content.createdAtMs,
        hash,
      ])
    },
    flush: inserts.flush,
    forget: inserts.forget,
  }
}

function moveSums(customer: AccountRow, { credit, amountNano }: NewTransfer): void {
  if (credit === customerAccount(customer.id)) {
    customer.balanceNano += amountNano
    customer.creditedNano += amountNano
  } else {
    customer.balanceNano -= amountNano
    customer.debitedNano += amountNano
  }
}
