import { type Selectable, sql } from 'kysely'
import type { AccountId } from '../../../../core/ids.ts'
import type { StoredUsageRecord } from '../../../../domain/usage/types.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { fromDbNumber } from '../mapping.ts'
import type { Sql, UsageRecordsTable } from '../tables.ts'
import { fromDbUsageRecord } from './usage-mapping.ts'

/** Records, and where else they are (see EngineTraits). */
export interface RecordPlaces extends Pick<EngineTraits, 'farRecords'> {
  readonly sql: Sql
}

export type RecordRow = Selectable<UsageRecordsTable>

/** Without an account the record of any is found. */
export async function findUsageRecord(
  places: RecordPlaces,
  generationId: string,
  accountId: AccountId | null,
): Promise<StoredUsageRecord | null> {
  const row = await findRecord(places, 'generation_id', generationId)
  if (row === null) return null
  const { sql: db } = places
  const accounts = db.selectFrom('accounts').select('id').where('no', '=', fromDbNumber(row.account_no))
  const account = await accounts.executeTakeFirstOrThrow()
  if (accountId !== null && account.id !== accountId) return null
  const keys = db
    .selectFrom('api_keys')
    .select('id')
    .where('no', '=', fromDbNumber(row.key_no ?? 0))
  const key = await keys.executeTakeFirst()
  return fromDbUsageRecord({ ...row, account_id: account.id, key_id: key?.id ?? null })
}

/** An id of ours says when it was made, and so on which day its record lies. */
export async function findRecord(
  { sql: db, farRecords }: RecordPlaces,
  column: 'hold_id' | 'generation_id',
  id: string,
): Promise<RecordRow | null> {
  const days = daysAround(id)
  const known = db.selectFrom('usage_records').selectAll().where(column, '=', id)
  const near = days === null ? undefined : await known.where('day', 'in', days).executeTakeFirst()
  if (near !== undefined) return near
  const { rows } = await sql<RecordRow>`
    select * from ${sql.table(farRecords)} where ${sql.ref(column)} = ${id}`.execute(db)
  return rows[0] ?? null
}

const dayMs = 86_400_000
const timeInId = /[_-]([0-9a-f]{12})[0-9a-f]*$/

/** The UTC day in which an ordered id was made (see core/ids.ts), and those beside it; null for an id of another kind. */
function daysAround(id: string): readonly number[] | null {
  const [, time] = timeInId.exec(id) ?? []
  if (time === undefined) return null
  const day = Math.floor(Number.parseInt(time, 16) / dayMs)
  return [day - 1, day, day + 1]
}
