import { Kysely, SqliteDialect } from 'kysely'
import type { Tables } from '../sql/tables.ts'
import type { SqliteDatabase } from './connection.ts'

/** Kysely over a connection that somebody else opens and closes. */
export function createKysely(database: SqliteDatabase): Kysely<Tables> {
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    return {
      reader: statement.reader,
      all: (parameters: readonly unknown[]) => statement.all(checked(parameters)),
      run: (parameters: readonly unknown[]) => statement.run(checked(parameters)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(checked(parameters)),
    }
  }
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } }) })
}

/**
 * The driver aborts the whole process on a boolean and writes NULL for `undefined`; both are our mistakes and become
 * errors here.
 */
function checked(parameters: readonly unknown[]): unknown[] {
  for (const value of parameters) {
    if (typeof value === 'boolean' || value === undefined) throw new TypeError(`cannot bind ${typeof value}`)
  }
  return [...parameters]
}
