import type { Transfer } from '../../../../domain/ledger/types.ts'
import { checkRepeated, customerSide, refundLine } from '../../groups/check-transfer.ts'
import type { OperationResult, PostedTransfer } from '../../groups/operations.ts'
import { freeText, transferIdOf } from '../../sql/texts/transfer-hash.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { runInHalves } from './run-in-halves.ts'

/** What `rialto_post` says: posted, refused, or the transfer that has the idempotency key. */
type PostAnswer = { readonly posted: string } | { readonly refused: string } | { readonly first: FirstTransfer }

interface FirstTransfer extends Pick<Transfer, 'code' | 'debit' | 'credit' | 'note'> {
  readonly seq: number
  readonly id: string | null
  readonly asset: string
  readonly amountNano: string
}

/** Posts one transfer in a transaction of its own: they are rare, and each of them locks an account and the chain's end. */
export async function postTransfer(pool: PostgresPool, transfer: Transfer): Promise<OperationResult> {
  const [result] = await runInHalves([transfer], async () => [{ value: await post(pool, transfer) }])
  return result ?? { error: { name: 'StoreUnavailable', message: 'the store gave no answer' } }
}

async function post(pool: PostgresPool, transfer: Transfer): Promise<PostedTransfer> {
  const asked = JSON.stringify(toDbTransfer(transfer))
  const [row] = await pool.query<{ answer: PostAnswer }>('select rialto_post($1) as answer', [asked])
  if (row === undefined) throw new Error('a function returns one row')
  const { answer } = row
  if ('refused' in answer) throw new RangeError(answer.refused)
  if ('posted' in answer) return { transferId: answer.posted, repeated: false }
  const { first } = answer
  checkRepeated({ ...first, amountNano: BigInt(first.amountNano) }, transfer)
  return { transferId: transferIdOf(first), repeated: true }
}

/** Its members are those of the type `rialto_posted_transfer`. @throws RangeError when there can be no such transfer. */
function toDbTransfer(transfer: Transfer): object {
  const { id, code, debit, credit, currency, amountNano, holdId, note, idempotencyKey, createdAtMs } = transfer
  const line = refundLine(transfer)
  return {
    id,
    code,
    debit,
    credit,
    asset: currency,
    amount_nano: amountNano.toString(),
    customer_id: customerSide(transfer),
    hold_id: holdId,
    line,
    note,
    idempotency_key: idempotencyKey,
    created_at_ms: createdAtMs,
    free_text: freeText({ id, line, note, idempotencyKey, code }),
  }
}
