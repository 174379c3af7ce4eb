import { setTimeout as pause } from 'node:timers/promises'
import type { Snapshot } from '../snapshot.ts'
import type { Sql } from '../tables.ts'

const rowsPerPiece = 2_000

/** Long enough for some commits, one of which folds the write-ahead log while nobody reads. */
const pauseMs = 10

/**
 * Reads a table in the order of a number that its rows have, from behind `first` on, a piece at a time, each piece in a snapshot of its own. `read`
 * handles the rows after `lastSeq`, at most `limit`, and returns the number of the last one and how many there were.
 * Returns how many rows there were in all.
 */
export async function readInPieces(
  snapshot: Snapshot,
  first: number,
  read: (sql: Sql, after: { readonly lastSeq: number; readonly limit: number }) => Promise<Piece>,
): Promise<number> {
  let total = 0
  for (let lastSeq = first; ; ) {
    const piece = await snapshot(sql => read(sql, { lastSeq, limit: rowsPerPiece }))
    total += piece.rows
    if (piece.lastSeq === null) return total
    lastSeq = piece.lastSeq
    await pause(pauseMs)
  }
}

export interface Piece {
  /** Null when nothing can follow. */
  readonly lastSeq: number | null
  readonly rows: number
}
