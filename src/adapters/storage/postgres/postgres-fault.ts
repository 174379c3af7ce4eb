import { StoreUnavailable } from '../../../core/store-error.ts'

/**
 * What a failed statement means. `unavailable`: the server is gone, refuses, gave up waiting, or is not as this program
 * needs it, and trying again may help; whether the statement had an effect is unknown when the connection broke. `fatal`:
 * the server reports damage. `taken`: a unique value exists. `refused`: the values themselves are why, now and for ever.
 * `other`: not from the database.
 */
export type PostgresFault = 'unavailable' | 'fatal' | 'taken' | 'refused' | 'other'

const readOnlyCode = '25006'
const checkCode = '23514'
const takenCode = '23505'

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A). `refused` are those that values cause: cardinality, data,
 * constraints, sizes, and what functions of ours raise. Everything else is about the server: tables that somebody works on,
 * rights that were taken away, files, memory, connections, or a kind of error that nobody thought of. To take one of those
 * for a refusal would lose a debit that can be booked later (money.md §2, "never assume it worked").
 */
const fatalCodes = ['XX001', 'XX002']
const refusedCodes = ['21', '22', '23', '44', '54', 'P0']

export function faultOf(error: unknown): PostgresFault {
  if (error instanceof StoreUnavailable) return 'unavailable'
  const code = sqlStateOf(error)
  if (code === null) return 'other'
  const isOneOf = (codes: readonly string[]) => codes.some(known => code.startsWith(known))
  if (isOneOf(fatalCodes)) return 'fatal'
  if (code === takenCode) return 'taken'
  return isOneOf(refusedCodes) && !isMovedPartition(error) ? 'refused' : 'unavailable'
}

/** Serialisation, a deadlock, and a partition that was made meanwhile: of checks that fail only that one is hidden. */
const transientCodes = ['40001', '40P01', checkCode]

/** Whether the server took back all that a statement of the pool did because of others: it may be sent again at once. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable && error.cause instanceof UnavailableCause)) return false
  return transientCodes.includes(error.cause.code)
}

/** The server's own code of an error that it sent; null for errors of another origin, sockets included. */
function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/**
 * A row's partition was made while the row was on its way to the one for the rest. The server reports it as a check that
 * failed, but names no constraint; asked again, it finds the new partition.
 */
function isMovedPartition(error: unknown): boolean {
  return sqlStateOf(error) === checkCode && (error as { readonly constraint?: unknown }).constraint === undefined
}

/** Connection exceptions, ends by the operator or by a crash, and servers that take no writes (any more). */
const lostCodes = ['08', '57P', readOnlyCode]

/**
 * Whether a connection must not be used again after this: anything but an answer of the server leaves its state unknown,
 * some answers are the last ones, and a server that became read-only is no longer the one to talk to.
 */
export function losesConnection(error: unknown): boolean {
  const code = sqlStateOf(error)
  return code === null || lostCodes.some(known => code.startsWith(known))
}

/**
 * What a caller of the pool gets. A store that cannot be reached is one error whatever the reason, which stays visible as
 * a code: the texts of drivers and servers name hosts and roles.
 */
export function hideInnards(error: unknown): unknown {
  if (sqlStateOf(error) !== null && faultOf(error) !== 'unavailable') return error
  return new StoreUnavailable('the store cannot be written or read now', { cause: new UnavailableCause(codeOf(error)) })
}

/** Why a store cannot be reached, as a code alone: of the server (`57P01`), of the system (`ECONNREFUSED`), or neither. */
export class UnavailableCause extends Error {
  override readonly name = 'UnavailableCause'
  readonly code: string

  constructor(code: string) {
    super('PostgreSQL cannot be used')
    this.code = code
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no_answer'
}
