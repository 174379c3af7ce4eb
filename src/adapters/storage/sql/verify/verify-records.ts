import type { Selectable } from 'kysely'
import { currencies, sumOfParts } from '../../../../core/currency.ts'
import { formatUsd } from '../../../../core/money.ts'
import type { ChargeLine, PriceList } from '../../../../core/price.ts'
import { revenueAccount } from '../../../../domain/ledger/ledger-account.ts'
import { fromDbAmount, fromDbFlag, fromDbNumber } from '../mapping.ts'
import { fromDbPriceList } from '../price-list.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Sql, UsageRecordsTable } from '../tables.ts'
import { decodeParts } from '../texts/currency-parts.ts'
import { decodeChargeLines, decodeUsageDetails, type UsageDetails } from '../texts/usage-details.ts'
import type { Audit, AuditedHead } from './audit.ts'
import { type DayRange, isWithin } from './day-ranges.ts'
import { readInPieces } from './read-in-pieces.ts'

const auditedColumns = [
  'hold_seq',
  'account_no',
  'outcome',
  'held_nano',
  'cost_nano',
  'writeoff_nano',
  'cost_delivered',
  'lines',
  'details',
  'swept',
  'held_parts',
  'paid_parts',
  'diem_nano',
] as const

type AuditedRow = Pick<Selectable<UsageRecordsTable>, (typeof auditedColumns)[number]>

/** A record's row with the part of its text that is needed here. */
type AuditedRecord = AuditedRow & Pick<UsageDetails, 'requestId' | 'priceVersion'>

type PriceLists = ReadonlyMap<string, PriceList>

/** Compares usage records with their debits and with their prices. Returns how many there were. */
export async function verifyRecords(snapshot: Snapshot, ranges: readonly DayRange[], audit: Audit): Promise<number> {
  const prices = await snapshot(readPriceLists)
  const openThen = new Set(audit.holds.filter(hold => !hold.resolved).map(hold => hold.seq))
  let total = 0
  for (const range of ranges)
    total += await readInPieces(snapshot, audit.before.recordSeq, async (sql, { lastSeq, limit }) => {
      const rows = await sql
        .selectFrom('usage_records')
        .select(auditedColumns)
        .where(isWithin(range))
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
  return total
}

async function readPriceLists(sql: Sql): Promise<PriceLists> {
  const rows = await sql.selectFrom('price_lists').selectAll().execute()
  return new Map(rows.map(row => [row.version, fromDbPriceList(row)]))
}

/** What transfers took for a hold, less what they gave back: by now, in all and by currency, and by the audit's moment. */
interface Debits {
  readonly nowNano: bigint
  readonly byCurrency: Readonly<Record<string, bigint>>
  readonly thenNano: bigint
}

const noDebits: Debits = { nowNano: 0n, byCurrency: {}, thenNano: 0n }

/** For holds of these numbers, which may lie far apart. */
async function sumDebits(sql: Sql, seqs: readonly number[], head: AuditedHead): Promise<ReadonlyMap<number, Debits>> {
  const sums = new Map<number, Debits>()
  if (seqs.length === 0) return sums
  const rows = await sql
    .selectFrom('transfers')
    .select(['seq', 'hold_seq', 'debit', 'asset', 'amount_nano'])
    .where('line', 'is not', null)
    .where('code', 'in', ['usage', 'adjust'])
    .where('hold_seq', 'in', seqs)
    .execute()
  for (const row of rows) {
    if (row.hold_seq === null) continue
    const seq = fromDbNumber(row.hold_seq)
    const { nowNano, byCurrency, thenNano } = sums.get(seq) ?? noDebits
    const tookNano = fromDbAmount(row.amount_nano) * (row.debit === revenueAccount ? -1n : 1n)
    const wasThere = fromDbNumber(row.seq) <= head.transferSeq
    sums.set(seq, {
      nowNano: nowNano + tookNano,
      byCurrency: { ...byCurrency, [row.asset]: (byCurrency[row.asset] ?? 0n) + tookNano },
      thenNano: wasThere ? thenNano + tookNano : thenNano,
    })
  }
  return sums
}

function verifyRecord(row: AuditedRecord, debits: Debits, audit: Audit): void {
  const { nowNano, thenNano } = debits
  const costNano = fromDbAmount(row.cost_nano)
  const heldNano = fromDbAmount(row.held_nano)
  const { problems, undelivered } = audit
  if (nowNano !== costNano)
    problems.add(`request ${row.requestId}: its record says ${usd(costNano)}, its debits say ${usd(nowNano)}`)
  if (costNano < 0n || costNano > heldNano)
    problems.add(`request ${row.requestId}: it was charged ${usd(costNano)}, and ${usd(heldNano)} was held`)
  verifyCurrencies(row, debits, audit)
  if (costNano > 0n && !fromDbFlag(row.cost_delivered))
    undelivered.add(`request ${row.requestId}: ${usd(costNano)} (${row.outcome})`)
  const account = audit.accounts.get(fromDbNumber(row.account_no))
  if (account === undefined) problems.add(`request ${row.requestId}: its account is not there`)
  else account.recordedNano += thenNano
}

/** Each currency paid what the record says, and no more than was held in it. */
function verifyCurrencies(row: AuditedRecord, { byCurrency }: Debits, { problems }: Audit): void {
  const [held, paid] = [decodeParts(row.held_parts), decodeParts(row.paid_parts)]
  const says = {
    diem: paid?.diemNano ?? 0n,
    earned: paid?.earnedNano ?? 0n,
    bundled: paid?.bundledNano ?? 0n,
    usd: fromDbAmount(row.cost_nano) - sumOfParts(paid),
  }
  const isHeld =
    says.diem <= (held?.diemNano ?? 0n) &&
    says.earned <= (held?.earnedNano ?? 0n) &&
    says.bundled <= (held?.bundledNano ?? 0n) &&
    says.usd <= fromDbAmount(row.held_nano) - sumOfParts(held)
  if (!isHeld) problems.add(`request ${row.requestId}: a currency paid more than was held in it`)
  if (fromDbAmount(row.diem_nano) !== says.diem)
    problems.add(`request ${row.requestId}: it counts other DIEM than it paid`)
  for (const currency of currencies)
    if ((byCurrency[currency] ?? 0n) !== says[currency])
      problems.add(`request ${row.requestId}: its record and its debits differ in ${currency}`)
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
  if (kind === 'search' || kind === 'document') return BigInt(quantity) * prices.searchNano
  if (kind === 'page') return BigInt(quantity) * prices.pageNano
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
