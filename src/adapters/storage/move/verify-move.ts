import type { VerifyReport } from '../../../domain/ledger/types.ts'
import { readMoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import { nothingVerified, type VerifiedPart } from '../sql/verify/verified-part.ts'
import { verifyLedger } from '../sql/verify/verify-ledger.ts'
import { verifySettledPart } from '../sql/verify/verify-settled-part.ts'
import { BooksDiffer } from './books-differ.ts'
import { compareHistory, compareState, type HistoryPosition } from './compare-books.ts'
import { type BookCounts, countRows } from './count-books.ts'
import type { Move } from './move.ts'
import type { MoveSource } from './open-source.ts'

/** How far the books of both stores were verified and compared. */
export interface VerifiedParts {
  readonly left: VerifiedPart
  readonly arrived: VerifiedPart
  readonly compared: HistoryPosition
}

export const nothingVerifiedYet: VerifiedParts = {
  left: nothingVerified,
  arrived: nothingVerified,
  compared: nothingVerified,
}

const dayMs = 86_400_000

/**
 * Verifies and compares what both stores have and can change no more, so that little is left for the time without a gateway.
 * @throws BooksDiffer when the source does not agree with itself: nobody need stop a gateway to learn that.
 */
export async function verifySettled(move: Move, before: VerifiedParts): Promise<VerifiedParts> {
  const { source, target, clock, report } = move
  report({ step: 'verifying' })
  const recordSeq = (await target.snapshot(readMoveMark))?.recordsThrough ?? 0
  // A request that began before yesterday has ended, so that no record of such a day can come.
  const settled = { recordSeq, day: Math.floor(clock.now() / dayMs) - 1 }
  const [left, arrived] = await Promise.all([
    verifySettledPart(source.snapshot, settled, before.left),
    verifySettledPart(target.snapshot, settled, before.arrived),
  ])
  if (left === null) await refuseUnsound(source)
  if (left === null || arrived === null) return nothingVerifiedYet
  const compared = { transferSeq: arrived.transferSeq, recordSeq }
  const differences = await target.snapshot(filled =>
    compareHistory({ source: source.sql, target: filled }, before.compared, compared),
  )
  // Something was corrected or pruned meanwhile, or is wrong: the last step finds out.
  return differences.length > 0 ? nothingVerifiedYet : { left, arrived, compared }
}

async function refuseUnsound({ snapshot }: MoveSource): Promise<void> {
  const { problems } = await verifyLedger(snapshot)
  if (problems.length > 0) throw new BooksDiffer(problems.map(ofSource))
}

/**
 * Verifies all of both stores and compares them, inside the last step's transaction. What differs is looked for once more
 * without what was verified before: it may have been corrected or pruned since.
 * @throws BooksDiffer
 */
export async function verifyArrived(move: Move, filled: Sql, parts: VerifiedParts): Promise<BookCounts> {
  move.report({ step: 'verifying' })
  // The sums of past days came along as they are in the source, with those of records that were pruned.
  const arrived = { ...parts.arrived, unexplained: parts.left.unexplained }
  const found = await verifyAll(move, filled, { ...parts, arrived })
  const { problems, report } = found.problems.length === 0 ? found : await verifyAll(move, filled, nothingVerifiedYet)
  if (problems.length > 0) throw new BooksDiffer(problems)
  return {
    accounts: report.accounts,
    apiKeys: await countRows(filled, 'api_keys'),
    transfers: report.transfers,
    usageRecords: report.usageRecords,
    holdsOpen: report.holdsOpen,
    idempotencyKeys: await countRows(filled, 'idempotency_keys'),
  }
}

interface Verification {
  readonly problems: readonly string[]
  /** Of the target. */
  readonly report: VerifyReport
}

async function verifyAll({ source, tables }: Move, filled: Sql, parts: VerifiedParts): Promise<Verification> {
  const [left, arrived] = await Promise.all([
    verifyLedger(source.snapshot, parts.left),
    verifyLedger(read => read(filled), parts.arrived),
  ])
  const stores = { source: source.sql, target: filled }
  const problems = [
    ...left.problems.map(ofSource),
    ...arrived.problems.map(problem => `PostgreSQL: ${problem}`),
    ...(await compareHistory(stores, parts.compared, everything)),
    ...(await compareState(stores, tables.names)),
  ]
  return { problems, report: arrived }
}

const everything: HistoryPosition = { transferSeq: Number.MAX_SAFE_INTEGER, recordSeq: Number.MAX_SAFE_INTEGER }

function ofSource(problem: string): string {
  return `SQLite: ${problem}`
}
