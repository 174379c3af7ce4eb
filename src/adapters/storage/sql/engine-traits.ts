import type { ColumnDataType, ColumnDefinitionBuilder, Expression, Kysely } from 'kysely'

/** The few differences between the SQL engines, as values. Stores never ask which engine they run on. */
export interface EngineTraits {
  readonly integer: ColumnDataType
  readonly real: ColumnDataType
  readonly bytes: ColumnDataType | Expression<unknown>
  /** Makes the primary key number its rows by itself: SQLite does that with every integer one. */
  autoNumber(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** What ends a CREATE TABLE: SQLite needs a word to check types at all. */
  readonly tableEnd: Expression<unknown>
  /** Gives usage records the columns that they are searched and summed by beside their text, and the indexes for it. */
  addRecordColumns(db: Kysely<unknown>): Promise<void>
  /**
   * The table in which a record is looked for that is not where its id or its transfer says: all of them, or the partition
   * of those without a place, where a search of all would lock more than a server has locks for.
   */
  readonly farRecords: string
  /** True when an insert failed because a primary key or unique value exists. */
  isTaken(error: unknown): boolean
}
