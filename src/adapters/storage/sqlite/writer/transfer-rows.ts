import type { Currency } from '../../../../core/currency.ts'
import { customerOf, revenueAccount } from '../../../../domain/ledger/ledger-account.ts'
import type { TransferCode } from '../../../../domain/ledger/types.ts'
import { hashTransfer } from '../../sql/texts/transfer-hash.ts'
import type { SqliteDatabase } from '../connection.ts'
import { moveCredit } from './account-funds.ts'
import type { AccountRow, AccountRows } from './account-rows.ts'
import { type BulkText, createBulkStatement, insertText } from './bulk-statement.ts'
import type { LedgerHead } from './ledger-head.ts'

/** A transfer between a customer and one of the ledger's own accounts, or between two of those (customer null). */
interface NewTransfer {
  readonly code: TransferCode
  readonly debit: string
  readonly credit: string
  readonly currency: Currency
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

const postedColumns = [
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

/** What settlements post in dollars has its constants in the statement: there is one for nearly every request. */
const usageText: BulkText = {
  before:
    'insert into transfers (seq, debit, amount_nano, customer_no, balance_after_nano, hold_seq, created_at_ms, hash,' +
    ' code, line, credit) values ',
  row: `(?, ?, ?, ?, ?, ?, ?, ?, 'usage', 'usage', '${revenueAccount}')`,
}

/** Appends to the chain of transfers and moves the customer's sums with it. */
export function createTransferRows(
  database: SqliteDatabase,
  head: LedgerHead,
  accounts: Pick<AccountRows, 'markChanged'>,
): TransferRows {
  const posted = createBulkStatement(database, insertText('transfers', postedColumns))
  const usage = createBulkStatement(database, usageText)

  return {
    get pending() {
      return posted.pending + usage.pending
    },
    add(transfer) {
      const { customer, amountNano, holdSeq, createdAtMs, debit, credit, code } = transfer
      const { id, line, note, idempotencyKey, currency } = transfer
      const balanceNano = customer === null ? null : moveSums(customer, transfer)
      if (customer !== null) accounts.markChanged(customer)
      const seq = head.lastTransferSeq + 1
      const hash = hashTransfer(head.lastTransferHash, {
        seq,
        id,
        code,
        debit,
        credit,
        asset: currency,
        amountNano,
        holdSeq,
        line,
        note,
        idempotencyKey,
        createdAtMs,
      })
      head.appendTransfer(hash)
      const customerNo = customer?.no ?? null
      if (code === 'usage' && currency === 'usd')
        usage.add([seq, debit, amountNano, customerNo, balanceNano, holdSeq, createdAtMs, hash])
      else {
        const named = [seq, id, code, debit, credit, currency, amountNano, customerNo, balanceNano]
        posted.add([...named, holdSeq, line, note, idempotencyKey, createdAtMs, hash])
      }
    },
    flush() {
      posted.flush()
      usage.flush()
    },
    forget() {
      posted.forget()
      usage.forget()
    },
  }
}

/** Returns the balance that it leaves in the currency that moved. */
function moveSums(customer: AccountRow, { credit, currency, amountNano }: NewTransfer): bigint | null {
  const gains = customerOf(credit) !== null
  if (currency !== 'usd') return moveCredit(customer, currency, gains ? amountNano : -amountNano)
  if (gains) {
    customer.balanceNano += amountNano
    customer.creditedNano += amountNano
  } else {
    customer.balanceNano -= amountNano
    customer.debitedNano += amountNano
  }
  return customer.balanceNano
}
