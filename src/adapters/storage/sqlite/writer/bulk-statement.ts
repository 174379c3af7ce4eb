import type { SqliteDatabase } from '../connection.ts'

export type SqlValue = string | number | bigint | null

/** Gathers rows and runs one statement over many of them: crossing into the database costs more than a row does. */
export interface BulkStatement {
  readonly pending: number
  add(row: readonly SqlValue[]): void
  /** @throws Error when a statement did not change exactly as many rows as it was given. */
  flush(): void
  forget(): void
}

const rowsPerStatement = 16

/** `textFor` gives the statement for a number of rows of `width` values each. */
export function createBulkStatement(
  database: SqliteDatabase,
  width: number,
  textFor: (rows: number) => string,
): BulkStatement {
  const statements = { one: database.prepare(textFor(1)), many: database.prepare(textFor(rowsPerStatement)) }
  let values: SqlValue[] = []

  function runFrom(start: number): number {
    const remaining = (values.length - start) / width
    const rows = remaining >= rowsPerStatement ? rowsPerStatement : 1
    const end = start + rows * width
    const { changes } = (rows === 1 ? statements.one : statements.many).run(values.slice(start, end))
    if (changes !== rows) throw new Error(`a statement changed ${changes} rows instead of ${rows}`)
    return end
  }

  return {
    get pending() {
      return values.length / width
    },
    add(row) {
      for (const value of row) values.push(value)
    },
    flush() {
      for (let start = 0; start < values.length; ) start = runFrom(start)
      values = []
    },
    forget() {
      values = []
    },
  }
}

/** `insert into <table> (…) values (?, …), (?, …)` for that many rows. */
export function insertText(table: string, columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`
}
