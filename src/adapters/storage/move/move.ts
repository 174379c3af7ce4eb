import type { Clock } from '../../../core/clock.ts'
import type { MoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import type { MoveSource } from './open-source.ts'
import type { MoveTarget } from './open-target.ts'
import type { MovedTables } from './plan-table.ts'

/** A move that has begun: what its steps work with. */
export interface Move {
  readonly source: MoveSource
  readonly target: MoveTarget
  readonly tables: MovedTables
  /** As this run wrote it into the target. */
  readonly mark: MoveMark
  /** Numbers of the holds whose records in the target may still be corrected in the source; grows with what is copied. */
  readonly swept: Set<bigint>
  readonly clock: Clock
  report(progress: MoveProgress): void
}

/** Where the command is, for people who wait. */
export type MoveProgress =
  /** Of one table: `rows` of at most `of` were looked at. */
  | { readonly step: 'copying'; readonly table: string; readonly rows: number; readonly of: number }
  /** For the gateway to be stopped; the time that is left. */
  | { readonly step: 'waiting'; readonly seconds: number }
  /** The gateway is stopped: from here on time counts. */
  | { readonly step: 'finishing' }
  | { readonly step: 'verifying' }

/** Changes the target, in a transaction of its own or in the one of the last step. */
export type Write = <Value>(run: (target: Sql) => Promise<Value>) => Promise<Value>

/** Rows that are read and written at once: more are not quicker, and cost memory. */
export const rowsPerPage = 2_000
