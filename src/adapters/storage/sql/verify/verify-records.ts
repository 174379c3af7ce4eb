import type { Selectable } from 'kysely'
import { formatUsd } from '../../../../core/money.ts'
import type { ChargeLine, PriceList } from '../../../../core/price.ts'
import { revenueAccount } from '../../../../domain/ledger/ledger-account.ts'
import { fromDbAmount, fromDbFlag, fromDbNumber } from '../mapping.ts'
import { fromDbPriceList } from '../price-list.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Sql, UsageRecordsTable } from '../tables.ts'
import { decodeChargeLines, decodeUsageDetails, type UsageDetails } from '../texts/usage-details.ts'
import type { Audit, AuditedHead } from './audit.ts'
import { readInPieces } from './read-in-pieces.ts'

/** A record's row with the part of its text that is needed here. */
type AuditedRecord = Selectable<UsageRecordsTable> & Pick<UsageDetails, 'requestId' | 'priceVersion'>

type PriceLists = ReadonlyMap<string, PriceList>

/** Compares every usage record with its debits and with its prices. Returns how many there are. */
export async function verifyRecords(snapshot: Snapshot, audit: Audit): Promise<number> {
  const prices = await snapshot(readPriceLists)
  const openThen = new Set(audit.holds.filter(hold => !hold.resolved).map(hold => hold.seq))
  return await readInPieces(snapshot, async (sql, { lastSeq, limit }) => {
    const rows = await sql
      .selectFrom('usage_records')
      .selectAll()
      .where('hold_seq', '>', lastSeq)
      .where('hold_seq', '<=', audit.head.holdSeq)
      .orderBy('hold_seq')
      .limit(limit)
      .execute()
    const seqs = rows.map(row => fromDbNumber(row.hold_seq))
    const debits = await sumDebits(sql, seqs, audit.head)
    const audited = rows.filter(row => !openThen.has(fromDbNumber(row.hold_seq)))
    for (const row of audited) {
      const record = { ...row, ...decodeUsageDetails(row.details) }
      verifyRecord(record, debits.get(fromDbNumber(row.hold_seq)) ?? noDebits, audit)
      verifyLines(record, prices.get(record.priceVersion) ?? null, audit)
    }
    return { lastSeq: rows.length < limit ? null : (seqs.at(-1) ?? null), rows: audited.length }
  })
}

async function readPriceLists(sql: Sql): Promise<PriceLists> {
  const rows = await sql.selectFrom('price_lists').selectAll().execute()
  return new Map(rows.map(row => [row.version, fromDbPriceList(row)]))
}

/** What transfers took for a hold, less what they gave back: by now, and by the audit's moment. */
interface Debits {
  readonly nowNano: bigint
  readonly thenNano: bigint
}

const noDebits: Debits = { nowNano: 0n, thenNano: 0n }

/** For holds of these numbers, which come in order. */
async function sumDebits(sql: Sql, seqs: readonly number[], head: AuditedHead): Promise<ReadonlyMap<number, Debits>> {
  const sums = new Map<number, Debits>()
  const [first, last] = [seqs.at(0), seqs.at(-1)]
  if (first === undefined || last === undefined) return sums
  const rows = await sql
    .selectFrom('transfers')
    .select(['seq', 'hold_seq', 'debit', 'amount_nano'])
    .where('line', 'is not', null)
    .where('code', 'in', ['usage', 'adjust'])
    .where('hold_seq', '>=', first)
    .where('hold_seq', '<=', last)
    .execute()
  for (const row of rows) {
    if (row.hold_seq === null) continue
    const seq = fromDbNumber(row.hold_seq)
    const { nowNano, thenNano } = sums.get(seq) ?? noDebits
    const tookNano = fromDbAmount(row.amount_nano) * (row.debit === revenueAccount ? -1n : 1n)
    const wasThere = fromDbNumber(row.seq) <= head.transferSeq
    sums.set(seq, { nowNano: nowNano + tookNano, thenNano: wasThere ? thenNano + tookNano : thenNano })
  }
  return sums
}

function verifyRecord(row: AuditedRecord, { nowNano, thenNano }: Debits, audit: Audit): void {
  const costNano = fromDbAmount(row.cost_nano)
  const heldNano = fromDbAmount(row.held_nano)
  const { problems, undelivered } = audit
  if (nowNano !== costNano)
    problems.add(`request ${row.requestId}: its record says ${usd(costNano)}, its debits say ${usd(nowNano)}`)
  if (costNano < 0n || costNano > heldNano)
    problems.add(`request ${row.requestId}: it was charged ${usd(costNano)}, and ${usd(heldNano)} was held`)
  if (costNano > 0n && !fromDbFlag(row.cost_delivered))
    undelivered.add(`request ${row.requestId}: ${usd(costNano)} (${row.outcome})`)
  const account = audit.accounts.get(fromDbNumber(row.account_no))
  if (account === undefined) problems.add(`request ${row.requestId}: its account is not there`)
  else account.recordedNano += thenNano
}

/** Value of the column `swept` for charges that were taken from a mark, whose lines are a guess (see tables.ts). */
const sweptAtMark = 1

function verifyLines(row: AuditedRecord, prices: PriceList | null, audit: Audit): void {
  const lines = decodeChargeLines(row.lines)
  const sumNano = lines.reduce((sum, line) => sum + line.amountNano, 0n)
  if (sumNano !== fromDbAmount(row.cost_nano))
    audit.problems.add(`request ${row.requestId}: its charge lines add up to ${usd(sumNano)}`)
  if (prices === null || fromDbNumber(row.swept) === sweptAtMark) return
  const wasCut = fromDbAmount(row.writeoff_nano) > 0n
  for (const line of lines) {
    const pricedNano = priceLine(line, prices)
    if (line.amountNano > pricedNano || (line.amountNano < pricedNano && !wasCut))
      audit.problems.add(
        `request ${row.requestId}: ${line.kind} was charged ${usd(line.amountNano)}, its price says ${usd(pricedNano)}`,
      )
  }
}

const tokensPerPrice = 1_000_000n

/** A second implementation of the price, so that a fault in the first one cannot agree with itself (reliability.md I12). */
function priceLine({ kind, quantity }: ChargeLine, prices: PriceList): bigint {
  if (kind === 'search') return BigInt(quantity) * prices.searchNano
  const nanoPerMillion = {
    input: prices.inputNanoPerMillion,
    cache_read: prices.cacheReadNanoPerMillion,
    cache_write: prices.cacheWriteNanoPerMillion,
    output: prices.outputNanoPerMillion,
  }[kind]
  const exact = BigInt(quantity) * nanoPerMillion
  const whole = exact / tokensPerPrice
  return exact % tokensPerPrice === 0n ? whole : whole + 1n
}

function usd(amountNano: bigint): string {
  return `${formatUsd(amountNano)} USD`
}
