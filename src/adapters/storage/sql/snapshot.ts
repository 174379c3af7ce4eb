import type { Sql } from './tables.ts'

/** Runs reads that must all see the store at one moment. Long ones are cut in several: see verify-ledger.ts. */
export type Snapshot = <T>(read: (sql: Sql) => Promise<T>) => Promise<T>
