import { sql } from 'kysely'
import { fromDbNumber } from '../mapping.ts'
import type { Condition } from './usage-filter.ts'
import type { ShownRow } from './usage-mapping.ts'

/** The last record that was shown. Pages go from the newest day to the oldest, and in a day from its end. */
export interface Cursor {
  readonly day: number
  readonly createdAtMs: number
  /** Decides between records of the same millisecond. */
  readonly holdSeq: number
}

const cursorText = /^(\d{1,8})-(\d{1,15})-(\d{1,16})$/

export function encodeCursor(row: Pick<ShownRow, 'day' | 'created_at_ms' | 'hold_seq'>): string {
  return [row.day, row.created_at_ms, row.hold_seq].map(fromDbNumber).join('-')
}

/** @throws RangeError for a cursor that no page gave out. */
export function decodeCursor(text: string): Cursor {
  const [, day, createdAtMs, holdSeq] = cursorText.exec(text) ?? []
  const cursor = { day: Number(day), createdAtMs: Number(createdAtMs), holdSeq: Number(holdSeq) }
  if (!Number.isSafeInteger(cursor.holdSeq)) throw new RangeError('cursor is not one that a page gave out')
  return cursor
}

/** What is left of these days after the cursor. In a day alone the time is a range, which an index can begin at. */
export function afterCursor(cursor: Cursor | null, days: readonly number[]): readonly Condition[] {
  if (cursor === null || !days.includes(cursor.day)) return []
  const { day, createdAtMs, holdSeq } = cursor
  const inTime = sql`created_at_ms <= ${createdAtMs}`
  const older = sql`(created_at_ms < ${createdAtMs} or hold_seq < ${holdSeq})`
  return days.length === 1 ? [inTime, older] : [sql`(day < ${day} or (${inTime} and ${older}))`]
}
