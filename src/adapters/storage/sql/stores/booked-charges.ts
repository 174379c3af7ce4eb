import { sql } from 'kysely'
import { currencies, sumOfParts } from '../../../../core/currency.ts'
import type { AccountId } from '../../../../core/ids.ts'
import type { PriceList } from '../../../../core/price.ts'
import { customerAccount } from '../../../../domain/ledger/ledger-account.ts'
import type { BookedCharge, ChargedRequest, ChargeQuery } from '../../../../domain/ledger/types.ts'
import { fromDbAmount, fromDbNumber, fromDbWord } from '../mapping.ts'
import { fromDbPriceList } from '../price-list.ts'
import type { Sql } from '../tables.ts'
import { decodeParts } from '../texts/currency-parts.ts'
import { decodeChargeLines, decodeUsageDetails } from '../texts/usage-details.ts'
import { type BookedRequest, findRequests } from './find-requests.ts'
import { readTransfersInOrder } from './transfers-in-order.ts'
import type { RecordPlaces } from './usage-records.ts'

const rowsMax = 1_001

/** In the order of time and, within a millisecond, of booking. */
export async function readCharges(
  places: RecordPlaces,
  accountId: AccountId,
  { fromMs, toMs, currency, after, limit }: ChargeQuery,
): Promise<readonly BookedCharge[]> {
  const { sql: db } = places
  const account = await db.selectFrom('accounts').select('no').where('id', '=', accountId).executeTakeFirst()
  if (account === undefined) return []
  const rows = await readTransfersInOrder(db, {
    accountNo: fromDbNumber(account.no),
    currencies: currency === null ? currencies : [currency],
    fromMs: Math.max(fromMs, after?.atMs ?? fromMs),
    toMs,
    limit: Math.max(Math.min(limit, rowsMax), 1),
    where: [
      sql`line in ('usage', 'adjust')`,
      ...(after === null ? [] : [sql`(created_at_ms > ${after.atMs} or seq > ${after.seq})`]),
    ],
  })
  const requests = await findRequests(places, rows)
  const prices = await readPrices(db, [...requests.values()])
  const customer = customerAccount(accountId)
  return rows.map(row => ({
    place: { atMs: fromDbNumber(row.created_at_ms), seq: fromDbNumber(row.seq) },
    currency: fromDbWord(row.asset, currencies),
    amountNano: row.credit === customer ? fromDbAmount(row.amount_nano) : -fromDbAmount(row.amount_nano),
    request: chargedRequest(requests.get(String(row.hold_seq)), prices),
  }))
}

type PricesByVersion = ReadonlyMap<string, PriceList>

/** The price lists that held when the requests were admitted: a handful, however many requests there are. */
async function readPrices(db: Sql, requests: readonly BookedRequest[]): Promise<PricesByVersion> {
  const versions = new Set(requests.map(({ details }) => decodeUsageDetails(details).priceVersion))
  if (versions.size === 0) return new Map()
  const rows = await db
    .selectFrom('price_lists')
    .selectAll()
    .where('version', 'in', [...versions])
    .execute()
  return new Map(rows.map(row => [row.version, fromDbPriceList(row)]))
}

function isShared({ paid_parts, cost_nano }: BookedRequest): boolean {
  const paid = decodeParts(paid_parts)
  if (paid === null) return false
  const { diemNano, earnedNano, bundledNano } = paid
  const amounts = [diemNano, earnedNano, bundledNano, fromDbAmount(cost_nano) - sumOfParts(paid)]
  return amounts.filter(amount => amount > 0n).length > 1
}

function chargedRequest(request: BookedRequest | undefined, prices: PricesByVersion): ChargedRequest | null {
  if (request === undefined) return null
  const { requestId, priceVersion, usage, totalMs } = decodeUsageDetails(request.details)
  return {
    requestId,
    generationId: request.generation_id,
    keyId: request.key_id,
    model: request.model,
    usage,
    totalMs,
    lines: decodeChargeLines(request.lines),
    isShared: isShared(request),
    prices: prices.get(priceVersion) ?? null,
  }
}
