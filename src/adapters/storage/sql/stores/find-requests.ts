import { type RawBuilder, type Selectable, sql } from 'kysely'
import { fromDbNumber, type RawInteger } from '../mapping.ts'
import type { TransfersTable } from '../tables.ts'
import type { RecordPlaces } from './usage-records.ts'

/** What a transfer's request is known by, as its record holds it. */
export interface BookedRequest {
  readonly generation_id: string
  readonly model: string
  readonly lines: string
  readonly details: string
  readonly cost_nano: RawInteger
  readonly paid_parts: string | null
  readonly key_id: string | null
}

type Booked = Pick<Selectable<TransfersTable>, 'hold_seq' | 'created_at_ms'>

/** Holds and days that one statement asks for. */
const holdsAtOnce = 1_000
const daysAtOnce = 50
const dayMs = 86_400_000

/** How many days before its transfer a request was admitted: nearly all on the same day, and of the others most on the last. */
const searches = [
  { from: 0, to: 0 },
  { from: 1, to: 1 },
  // What was resolved by recovery, or refunded.
  { from: 2, to: 7 },
] as const

/**
 * The requests of transfers, by the number of their hold as text; a transfer of another kind, or whose record was pruned
 * or lies weeks before it, has none. Each search looks at the days of its transfers only.
 */
export async function findRequests(
  places: RecordPlaces,
  transfers: readonly Booked[],
): Promise<ReadonlyMap<string, BookedRequest>> {
  const found = new Map<string, BookedRequest>()
  const usage = transfers.filter(({ hold_seq }) => hold_seq !== null)
  for (let start = 0; start < usage.length; start += holdsAtOnce) {
    const booked = usage.slice(start, start + holdsAtOnce)
    const missing = () => booked.filter(({ hold_seq }) => !found.has(String(hold_seq)))
    for (const search of searches) await run(searchDays(missing(), search))
    await run(missing().length === 0 ? [] : [selectRequests(missing(), sql.table(places.farRecords), sql`1 = 1`)])
  }
  return found

  async function run(selects: readonly RawBuilder<unknown>[]): Promise<void> {
    for (let start = 0; start < selects.length; start += daysAtOnce) {
      const statement = sql<FoundRequest>`${sql.join(selects.slice(start, start + daysAtOnce), sql` union all `)}`
      for (const row of (await statement.execute(places.sql)).rows) found.set(String(row.hold_seq), row)
    }
  }
}

interface FoundRequest extends BookedRequest {
  readonly hold_seq: RawInteger
}

/** One select per day of transfers, so that each looks into the partitions of its days alone. */
function searchDays(
  booked: readonly Booked[],
  { from, to }: (typeof searches)[number],
): readonly RawBuilder<unknown>[] {
  const days = new Set(booked.map(dayOf))
  return [...days].map(day => {
    const ofDay = booked.filter(one => dayOf(one) === day)
    return selectRequests(ofDay, sql.table('usage_records'), sql`day between ${day - to} and ${day - from}`)
  })
}

function selectRequests(booked: readonly Booked[], table: RawBuilder<unknown>, where: RawBuilder<unknown>) {
  const seqs = booked.map(({ hold_seq }) => fromDbNumber(hold_seq ?? 0))
  return sql`
    select hold_seq, generation_id, model, lines, details, cost_nano, paid_parts,
      (select id from api_keys where api_keys.no = records.key_no) as key_id
    from ${table} as records where hold_seq in (${sql.join(seqs)}) and ${where}`
}

function dayOf({ created_at_ms }: Booked): number {
  return Math.floor(fromDbNumber(created_at_ms) / dayMs)
}
