import type { SqliteDatabase } from '../connection.ts'
import { type CachedRows, createCachedRows } from './cached-rows.ts'

/** What a key was charged on a UTC day; `chargedNano` is what this group adds to it, which may be below zero. */
interface KeyDayRow {
  readonly keyNo: number
  readonly day: number
  chargedNano: bigint
}

export interface KeyDayRows extends Pick<CachedRows<KeyDayRow>, 'flush' | 'forget'> {
  add(keyNo: number, atMs: number, chargedNano: bigint): void
}

const dayMs = 86_400_000

/** Nothing decides by these sums, so they are only ever added to, never read here. */
export function createKeyDayRows(database: SqliteDatabase): KeyDayRows {
  const upsert = database.prepare(
    'insert into key_days (key_no, day, charged_nano) values (?, ?, ?)' +
      ' on conflict do update set charged_nano = charged_nano + excluded.charged_nano',
  )
  const rows = createCachedRows<KeyDayRow>(row => {
    upsert.run([row.keyNo, row.day, row.chargedNano])
    row.chargedNano = 0n
  })
  return {
    ...rows,
    add(keyNo, atMs, chargedNano) {
      const day = Math.floor(atMs / dayMs)
      const row = rows.find(`${keyNo}/${day}`, () => ({ keyNo, day, chargedNano: 0n }))
      row.chargedNano += chargedNano
      rows.markChanged(row)
    },
  }
}
