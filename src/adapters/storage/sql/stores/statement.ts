import type { Selectable } from 'kysely'
import type { AccountId } from '../../../../core/ids.ts'
import { customerAccount } from '../../../../domain/ledger/ledger-account.ts'
import type { LedgerStore } from '../../../../domain/ledger/ledger-store.ts'
import type { Statement, StatementLine, TransferCode } from '../../../../domain/ledger/types.ts'
import { fromDbAmount, fromDbNumber, fromDbWord, type RawInteger } from '../mapping.ts'
import type { Sql, TransfersTable } from '../tables.ts'
import { transferIdOf } from '../texts/transfer-hash.ts'
import { decodeUsageDetails } from '../texts/usage-details.ts'

type Range = Parameters<LedgerStore['statement']>[1]

const linesMax = 100_000
const codes: readonly TransferCode[] = ['usage', 'grant', 'topup', 'refund', 'adjust', 'clawback']

type TransferWithRequest = Selectable<TransfersTable> & {
  readonly details: string | null
  readonly key_id: string | null
}

/** The account's transfers from `fromMs` on and before `toMs`, at most `limit` of them, between the balances around them. */
export async function readStatement(sql: Sql, accountId: AccountId, range: Range): Promise<Statement> {
  const account = await sql.selectFrom('accounts').select('no').where('id', '=', accountId).executeTakeFirst()
  if (account === undefined) return { accountId, openingNano: 0n, closingNano: 0n, lines: [] }
  const rows = await selectTransfers(sql, account.no, range)
  const first = rows[0]
  const customer = customerAccount(accountId)
  const openingNano =
    first === undefined
      ? await balanceBefore(sql, account.no, range.fromMs)
      : fromDbAmount(first.balance_after_nano ?? 0n) - amountFor(customer, first)
  const lines = addBalances(rows, customer, openingNano)
  return { accountId, openingNano, closingNano: lines.at(-1)?.balanceNano ?? openingNano, lines }
}

/** Chosen by their time, shown in the order in which they were booked. */
async function selectTransfers(sql: Sql, accountNo: RawInteger, range: Range): Promise<TransferWithRequest[]> {
  const rows = await sql
    .selectFrom('transfers')
    .leftJoin('usage_records', 'usage_records.hold_seq', 'transfers.hold_seq')
    .leftJoin('api_keys', 'api_keys.no', 'usage_records.key_no')
    .selectAll('transfers')
    .select(['usage_records.details', 'api_keys.id as key_id'])
    .where('customer_no', '=', fromDbNumber(accountNo))
    .where('transfers.created_at_ms', '>=', range.fromMs)
    .where('transfers.created_at_ms', '<', range.toMs)
    .orderBy('transfers.created_at_ms')
    .orderBy('transfers.seq')
    .limit(Math.max(Math.min(range.limit, linesMax), 1))
    .execute()
  return rows.sort((left, right) => fromDbNumber(left.seq) - fromDbNumber(right.seq))
}

async function balanceBefore(sql: Sql, accountNo: RawInteger, fromMs: number): Promise<bigint> {
  const last = await sql
    .selectFrom('transfers')
    .select('balance_after_nano')
    .where('customer_no', '=', fromDbNumber(accountNo))
    .where('created_at_ms', '<', fromMs)
    .orderBy('created_at_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return fromDbAmount(last?.balance_after_nano ?? 0n)
}

function addBalances(rows: readonly TransferWithRequest[], customer: string, openingNano: bigint): StatementLine[] {
  let balanceNano = openingNano
  return rows.map(row => {
    const amountNano = amountFor(customer, row)
    balanceNano += amountNano
    return {
      transferId: transferIdOf({ seq: fromDbNumber(row.seq), id: row.id }),
      code: fromDbWord(row.code, codes),
      amountNano,
      balanceNano,
      requestId: row.details === null ? null : decodeUsageDetails(row.details).requestId,
      keyId: row.key_id,
      note: row.note,
      atMs: fromDbNumber(row.created_at_ms),
    }
  })
}

function amountFor(customer: string, row: Pick<Selectable<TransfersTable>, 'credit' | 'amount_nano'>): bigint {
  const amountNano = fromDbAmount(row.amount_nano)
  return row.credit === customer ? amountNano : -amountNano
}
