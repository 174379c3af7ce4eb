import { createDay, listDays } from '../postgres/usage/day-partitions.ts'
import { fromDbNumber } from '../sql/mapping.ts'
import type { Move } from './move.ts'

/** Each partition takes locks in every statement over all of them, and a server has room for some thousands. */
const daysMax = 400

/**
 * Gives the newest days of the source's records their partitions before they come: retention drops whole days. What lies
 * in the default partition is older, and is deleted row by row.
 */
export async function createDays({ source, target }: Pick<Move, 'source' | 'target'>): Promise<void> {
  const rows = await source.sql
    .selectFrom('usage_records')
    .select('day')
    .distinct()
    .orderBy('day', 'desc')
    .limit(daysMax)
    .execute()
  const known = await target.transaction(listDays)
  for (const day of rows.map(row => fromDbNumber(row.day))) {
    if (!known.includes(day)) await target.transaction(filled => createDay(filled, day))
  }
}
