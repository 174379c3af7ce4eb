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

/** `before` and `after` are the statement's ends, `row` is what stands between them for each row, joined by commas. */
export interface BulkText {
  readonly before: string
  readonly row: string
  readonly after?: string
}

export function createBulkStatement(database: SqliteDatabase, { before, row, after = '' }: BulkText): BulkStatement {
  const prepare = (rows: number) =>
    database.prepare(before + Array.from({ length: rows }, () => row).join(', ') + after)
  const statements = { one: prepare(1), many: prepare(rowsPerStatement) }
  const width = row.split('?').length - 1
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
      for (const value of row) values.push(toBound(value))
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

/** Binding a number is cheaper than binding a bigint, and as exact within 2^53; STRICT tables store both as integers. */
function toBound(value: SqlValue): SqlValue {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The text that inserts rows with a value for each of these columns. */
export function insertText(table: string, columns: readonly string[]): BulkText {
  const row = `(${columns.map(() => '?').join(', ')})`
  return { before: `insert into ${table} (${columns.join(', ')}) values `, row }
}
