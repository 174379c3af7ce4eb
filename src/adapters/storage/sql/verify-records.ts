import type { Selectable } from 'kysely'
import { formatUsd } from '../../../core/money.ts'
import type { ChargeLine, PriceList } from '../../../core/price.ts'
import type { Audit } from './audit.ts'
import { fromDbAmount, fromDbFlag, fromDbNumber } from './mapping.ts'
import { fromDbPriceList } from './price-list.ts'
import type { Sql, UsageRecordsTable } from './tables.ts'
import { decodeChargeLines, decodeUsageDetails, type UsageDetails } from './usage-details.ts'

const rowsPerRead = 2_000

/** A record's row with the part of its text that is needed here. */
type AuditedRecord = Selectable<UsageRecordsTable> & Pick<UsageDetails, 'requestId' | 'priceVersion'>

/** Compares every usage record with its debits and with its prices. Returns how many there are. */
export async function verifyRecords(sql: Sql, audit: Audit): Promise<number> {
  const lists = await sql.selectFrom('price_lists').selectAll().execute()
  const prices = new Map(lists.map(row => [row.version, fromDbPriceList(row)]))
  let count = 0
  for (let lastSeq = 0; ; ) {
    const rows = await sql
      .selectFrom('usage_records')
      .selectAll()
      .where('hold_seq', '>', lastSeq)
      .orderBy('hold_seq')
      .limit(rowsPerRead)
      .execute()
    const [first, last] = [rows.at(0), rows.at(-1)]
    if (first === undefined || last === undefined) break
    const debits = await sumDebits(sql, fromDbNumber(first.hold_seq), fromDbNumber(last.hold_seq))
    for (const row of rows) {
      const record = { ...row, ...decodeUsageDetails(row.details) }
      verifyRecord(record, debits.get(fromDbNumber(row.hold_seq)) ?? 0n, audit)
      verifyLines(record, prices.get(record.priceVersion) ?? null, audit)
    }
    count += rows.length
    lastSeq = fromDbNumber(last.hold_seq)
  }
  await addPruned(sql, audit)
  return count
}

/** What transfers took for each hold of a range, less what they gave back. */
async function sumDebits(sql: Sql, firstSeq: number, lastSeq: number): Promise<ReadonlyMap<number, bigint>> {
  const rows = await sql
    .selectFrom('transfers')
    .select(['hold_seq', 'debit', 'amount_nano'])
    .where('line', 'is not', null)
    .where('code', 'in', ['usage', 'adjust'])
    .where('hold_seq', '>=', firstSeq)
    .where('hold_seq', '<=', lastSeq)
    .execute()
  const sums = new Map<number, bigint>()
  for (const row of rows) {
    if (row.hold_seq === null) continue
    const seq = fromDbNumber(row.hold_seq)
    const amountNano = fromDbAmount(row.amount_nano)
    sums.set(seq, (sums.get(seq) ?? 0n) + (row.debit === 'revenue' ? -amountNano : amountNano))
  }
  return sums
}

function verifyRecord(row: AuditedRecord, debitedNano: bigint, audit: Audit): void {
  const costNano = fromDbAmount(row.cost_nano)
  const heldNano = fromDbAmount(row.held_nano)
  const { problems, undelivered } = audit
  if (debitedNano !== costNano)
    problems.add(`request ${row.requestId}: its record says ${usd(costNano)}, its debits say ${usd(debitedNano)}`)
  if (costNano < 0n || costNano > heldNano)
    problems.add(`request ${row.requestId}: it was charged ${usd(costNano)}, and ${usd(heldNano)} was held`)
  if (costNano > 0n && !fromDbFlag(row.cost_delivered))
    undelivered.add(`request ${row.requestId}: ${usd(costNano)} (${row.outcome})`)
  const account = audit.accounts.get(fromDbNumber(row.account_no))
  if (account === undefined) problems.add(`request ${row.requestId}: its account is not there`)
  else account.recordedNano += costNano
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

async function addPruned(sql: Sql, audit: Audit): Promise<void> {
  for (const row of await sql.selectFrom('pruned_usage').selectAll().execute()) {
    const account = audit.accounts.get(fromDbNumber(row.account_no))
    if (account !== undefined) account.recordedNano += fromDbAmount(row.cost_nano)
  }
}

function usd(amountNano: bigint): string {
  return `${formatUsd(amountNano)} USD`
}
