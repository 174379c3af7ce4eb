import type { AccountId } from '../../../../core/ids.ts'
import { customerAccount } from '../../../../domain/ledger/ledger-account.ts'
import type { LedgerStore } from '../../../../domain/ledger/ledger-store.ts'
import type { Statement, StatementLine, TransferCode } from '../../../../domain/ledger/types.ts'
import { fromDbAmount, fromDbNumber, fromDbWord, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { transferIdOf } from '../texts/transfer-hash.ts'
import { decodeUsageDetails } from '../texts/usage-details.ts'
import { type BookedRequest, findRequests } from './find-requests.ts'
import { readTransfersInOrder, type TransferRow } from './transfers-in-order.ts'
import type { RecordPlaces } from './usage-records.ts'

type Range = Parameters<LedgerStore['statement']>[1]

const linesMax = 100_000
const codes: readonly TransferCode[] = ['usage', 'grant', 'topup', 'refund', 'adjust', 'clawback']

type TransferWithRequest = TransferRow & Pick<Nullable<BookedRequest>, 'details' | 'key_id'>
type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

function currencyOf({ currency = 'usd' }: Range): NonNullable<Range['currency']> {
  return currency
}

const noRequest = { details: null, key_id: null }

/**
 * The account's transfers in a currency from `fromMs` on and before `toMs`, at most `limit` of them, between the balances
 * around them. Those in DIEM stand beside those in dollars: an allowance has no statement of its own.
 */
export async function readStatement(places: RecordPlaces, accountId: AccountId, range: Range): Promise<Statement> {
  const { sql } = places
  const account = await sql.selectFrom('accounts').select('no').where('id', '=', accountId).executeTakeFirst()
  if (account === undefined) return { accountId, openingNano: 0n, closingNano: 0n, lines: [] }
  const rows = await selectTransfers(places, account.no, range)
  const first = rows.find(({ asset }) => asset === currencyOf(range))
  const customer = customerAccount(accountId)
  const openingNano =
    first === undefined
      ? await balanceBefore(sql, account.no, range)
      : fromDbAmount(first.balance_after_nano ?? 0n) - amountFor(customer, first)
  const lines = addBalances(rows, { customer, openingNano, currency: currencyOf(range) })
  return { accountId, openingNano, closingNano: lines.at(-1)?.balanceNano ?? openingNano, lines }
}

/** Chosen by their time, shown in the order in which they were booked. */
async function selectTransfers(
  places: RecordPlaces,
  accountNo: RawInteger,
  range: Range,
): Promise<TransferWithRequest[]> {
  const rows = await readTransfersInOrder(places.sql, {
    accountNo: fromDbNumber(accountNo),
    currencies: currencyOf(range) === 'usd' ? ['usd', 'diem'] : [currencyOf(range)],
    fromMs: range.fromMs,
    toMs: range.toMs,
    limit: Math.max(Math.min(range.limit, linesMax), 1),
  })
  const requests = await findRequests(places, rows)
  return rows
    .map(row => ({ ...row, ...(requests.get(String(row.hold_seq)) ?? noRequest) }))
    .sort((left, right) => fromDbNumber(left.seq) - fromDbNumber(right.seq))
}

async function balanceBefore(sql: Sql, accountNo: RawInteger, range: Range): Promise<bigint> {
  const last = await sql
    .selectFrom('transfers')
    .select('balance_after_nano')
    .where('customer_no', '=', fromDbNumber(accountNo))
    .where('asset', '=', currencyOf(range))
    .where('created_at_ms', '<', range.fromMs)
    .orderBy('created_at_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return fromDbAmount(last?.balance_after_nano ?? 0n)
}

interface Opening {
  readonly customer: string
  readonly currency: string
  readonly openingNano: bigint
}

function addBalances(
  rows: readonly TransferWithRequest[],
  { customer, currency, openingNano }: Opening,
): StatementLine[] {
  let balanceNano = openingNano
  return rows.map(row => {
    const amount = amountFor(customer, row)
    const amountNano = row.asset === currency ? amount : 0n
    balanceNano += amountNano
    return {
      transferId: transferIdOf({ seq: fromDbNumber(row.seq), id: row.id }),
      code: fromDbWord(row.code, codes),
      amountNano,
      diemNano: row.asset === 'diem' ? amount : 0n,
      balanceNano,
      requestId: row.details === null ? null : decodeUsageDetails(row.details).requestId,
      keyId: row.key_id,
      note: row.note,
      atMs: fromDbNumber(row.created_at_ms),
    }
  })
}

function amountFor(customer: string, row: Pick<TransferRow, 'credit' | 'amount_nano'>): bigint {
  const amountNano = fromDbAmount(row.amount_nano)
  return row.credit === customer ? amountNano : -amountNano
}
