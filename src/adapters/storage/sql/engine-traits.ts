import type { ColumnDataType, Expression } from 'kysely'

/** The few differences between the SQL engines, as values. Stores never ask which engine they run on. */
export interface EngineTraits {
  readonly integer: ColumnDataType
  readonly real: ColumnDataType
  readonly bytes: ColumnDataType | Expression<unknown>
  /** What ends a CREATE TABLE: SQLite needs a word to check types at all. */
  readonly tableEnd: Expression<unknown>
  /** True when an insert failed because a primary key or unique value exists. */
  isTaken(error: unknown): boolean
}
