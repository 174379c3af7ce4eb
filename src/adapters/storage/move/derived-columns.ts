import { decodeHoldFacts } from '../sql/texts/hold-facts.ts'
import type { SqliteValue } from './source-tables.ts'

/** Gives the value of a column of the row that is moved. */
type ColumnReader = (column: string) => SqliteValue

type Derivation = (read: ColumnReader) => number | string

/**
 * Columns that only PostgreSQL has and that no default fills: what several processes have to find is kept beside the text
 * that holds it.
 */
const derivations: Readonly<Record<string, Readonly<Record<string, Derivation>>>> = {
  holds: {
    process_id: read => factsOf(read).processId,
    deadline_at_ms: read => factsOf(read).deadlineAtMs,
    day: read => dayOf(factsOf(read).createdAtMs),
  },
}

export function derivationOf(table: string, column: string): Derivation | null {
  return derivations[table]?.[column] ?? null
}

const dayMs = 86_400_000

/** UTC days since the epoch. */
function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs)
}

function factsOf(read: ColumnReader) {
  return decodeHoldFacts(String(read('facts')))
}
