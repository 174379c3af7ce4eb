import type { Selectable } from 'kysely'
import { fromDbAmount, fromDbNumber, fromDbNumberOrNull } from '../mapping.ts'
import type { TransfersTable } from '../tables.ts'
import type { HashedTransfer } from './transfer-hash.ts'

export function fromDbHashedTransfer(row: Selectable<TransfersTable>): HashedTransfer {
  return {
    seq: fromDbNumber(row.seq),
    id: row.id,
    code: row.code,
    debit: row.debit,
    credit: row.credit,
    asset: row.asset,
    amountNano: fromDbAmount(row.amount_nano),
    holdSeq: fromDbNumberOrNull(row.hold_seq),
    line: row.line,
    note: row.note,
    idempotencyKey: row.idempotency_key,
    createdAtMs: fromDbNumber(row.created_at_ms),
  }
}
