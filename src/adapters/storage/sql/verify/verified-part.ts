import { fromDbNumber } from '../mapping.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Sql } from '../tables.ts'
import { allDays } from './day-ranges.ts'

/** What transfers and records of an account add up to. */
export interface AccountSums {
  /** In dollars, like the next. */
  readonly creditedNano: bigint
  readonly debitedNano: bigint
  /** What is left of credit in these currencies. */
  readonly earnedNano: bigint
  readonly bundledNano: bigint
  /** What was spent of the allowance of the last day that any was spent of. */
  readonly diemDay: number
  readonly diemSpentNano: bigint
  /** What transfers of usage and adjustment took in any currency, less what they gave back. */
  readonly usageNano: bigint
  /** The part of that which usage records explain. */
  readonly recordedNano: bigint
}

/** Requests that sums of days count and that have no record any more. */
export interface Unexplained {
  readonly requests: bigint
  readonly costNano: bigint
}

/**
 * How far an earlier verification of the same store came, so that the next one reads only what was written since. It holds
 * as long as nothing of it was corrected: a problem that is found on top of it has to be found again without it.
 */
export interface VerifiedPart {
  /** Transfers up to this one. */
  readonly transferSeq: number
  readonly transferHash: string
  /** Records of holds up to this number, and how many they are. */
  readonly recordSeq: number
  readonly usageRecords: number
  /** The sums of days before this one. */
  readonly day: number
  /** Both by account number. */
  readonly accounts: ReadonlyMap<number, AccountSums>
  readonly unexplained: ReadonlyMap<number, Unexplained>
  readonly undelivered: readonly string[]
  /** So many records had been pruned; with more of them it holds no longer. */
  readonly prunedRecords: number
}

export const nothingVerified: VerifiedPart = {
  transferSeq: 0,
  transferHash: '',
  recordSeq: 0,
  usageRecords: 0,
  day: allDays.from,
  accounts: new Map(),
  unexplained: new Map(),
  undelivered: [],
  prunedRecords: 0,
}

/** The part, or nothing when records of it may have been pruned since. */
export async function ifNothingWasPruned(snapshot: Snapshot, part: VerifiedPart): Promise<VerifiedPart> {
  return (await snapshot(countPruned)) === part.prunedRecords ? part : nothingVerified
}

export async function countPruned(sql: Sql): Promise<number> {
  const rows = await sql.selectFrom('pruned_usage').select('records').execute()
  return rows.reduce((sum, row) => sum + fromDbNumber(row.records), 0)
}
