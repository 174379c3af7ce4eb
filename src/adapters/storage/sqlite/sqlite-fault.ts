/**
 * What a failed statement means. `unavailable`: nothing was written, trying again may help (locked, full). `fatal`: the
 * storage lies or loses, so nothing it says counts any more (reliability.md S3). `taken`: a unique value exists.
 * `refused`: a constraint forbids the row. `other`: not from the database.
 */
export type SqliteFault = 'unavailable' | 'fatal' | 'taken' | 'refused' | 'other'

const unavailableCodes = ['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']
const fatalCodes = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_NOMEM', 'SQLITE_PROTOCOL']
const takenCodes = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_ROWID']

export function faultOf(error: unknown): SqliteFault {
  const code = codeOf(error)
  const isOneOf = (codes: readonly string[]) => codes.some(known => code.startsWith(known))
  if (isOneOf(unavailableCodes)) return 'unavailable'
  if (isOneOf(fatalCodes)) return 'fatal'
  if (isOneOf(takenCodes)) return 'taken'
  return code.startsWith('SQLITE_') ? 'refused' : 'other'
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
