/**
 * Rows read once and written once per group, however many operations touch them. The cache is only ever used inside the
 * write transaction whose start proved that nobody else has written since (see ledger-unit.ts), so it equals the table.
 */
export interface CachedRows<Row extends object> {
  /** The row under the key, read when it is not here yet. A row that does not exist is not remembered. */
  find<Found extends Row | null>(key: string, read: () => Found): Row | Found
  /** Says that the caller changed the row's fields; it is written with the next flush. */
  markChanged(row: Row): void
  flush(): void
  forget(): void
}

/** Beyond this many rows the cache starts again from nothing: some megabytes, and a few reads to refill. */
const rowsMax = 20_000

export function createCachedRows<Row extends object>(write: (row: Row) => void): CachedRows<Row> {
  const rows = new Map<string, Row>()
  const changed = new Set<Row>()
  return {
    find(key, read) {
      const known = rows.get(key)
      if (known !== undefined) return known
      const row = read()
      if (row !== null) rows.set(key, row)
      return row
    },
    markChanged: row => {
      changed.add(row)
    },
    flush() {
      for (const row of changed) write(row)
      changed.clear()
      if (rows.size > rowsMax) rows.clear()
    },
    forget() {
      rows.clear()
      changed.clear()
    },
  }
}
