/**
 * What a failed statement means. `unavailable`: nothing was written, trying again may help (locked, full). `unexplained`:
 * the same, but the operation itself may be why (tables that are not as this program needs them, or an error that nobody
 * thought of), so it should fail alone. `fatal`: the storage lies or loses, so nothing it says counts any more
 * (reliability.md S3). `taken`: a unique value exists. `refused`: the values themselves are why, now and for ever. `other`:
 * not from the database.
 */
export type SqliteFault = 'unavailable' | 'unexplained' | 'fatal' | 'taken' | 'refused' | 'other'

const unavailableCodes = ['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']
const fatalCodes = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_NOMEM', 'SQLITE_PROTOCOL']
const takenCodes = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_ROWID']

/**
 * What values cause. To take anything else for a refusal, a kind of error that nobody thought of included, would lose a
 * debit that can be booked later (money.md §2, "never assume it worked").
 */
const refusedCodes = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE']

export function faultOf(error: unknown): SqliteFault {
  const code = codeOf(error)
  const isOneOf = (codes: readonly string[]) => codes.some(known => code.startsWith(known))
  if (isOneOf(unavailableCodes)) return 'unavailable'
  if (isOneOf(fatalCodes)) return 'fatal'
  if (isOneOf(takenCodes)) return 'taken'
  if (isOneOf(refusedCodes)) return 'refused'
  return code.startsWith('SQLITE_') ? 'unexplained' : 'other'
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
