import type { Snapshot } from '../snapshot.ts'
import { createAudit } from './audit.ts'
import { allDays, listDayRanges } from './day-ranges.ts'
import { ifNothingWasPruned, type VerifiedPart } from './verified-part.ts'
import { verifyRecords } from './verify-records.ts'
import { verifyTransfers } from './verify-transfers.ts'
import { verifyUsageDays } from './verify-usage-days.ts'

/** What can change no more: every record of a hold up to `recordSeq` is there, and every one of a day before `day`. */
export interface SettledRange {
  readonly recordSeq: number
  readonly day: number
}

/**
 * Verifies a part of the books of a store that may be in use, beyond what `earlier` has seen. Null when something does not
 * agree: verifying from the beginning names it.
 */
export async function verifySettledPart(
  snapshot: Snapshot,
  { recordSeq, day }: SettledRange,
  earlier: VerifiedPart,
): Promise<VerifiedPart | null> {
  const before = await ifNothingWasPruned(snapshot, earlier)
  const audit = await snapshot(sql => createAudit(sql, before))
  await verifyTransfers(snapshot, audit)
  const days = await snapshot(sql => listDayRanges(sql, allDays))
  const settled = { ...audit, head: { ...audit.head, holdSeq: recordSeq } }
  const usageRecords = before.usageRecords + (await verifyRecords(snapshot, days, settled))
  const past = await snapshot(sql => listDayRanges(sql, { from: before.day, to: day - 1 }))
  await verifyUsageDays(snapshot, past, audit)
  if (audit.problems.list().length > 0) return null
  const { transferSeq, transferHash } = audit.head
  const accounts = new Map([...audit.accounts].map(([no, { row, prunedNano, ...sums }]) => [no, sums]))
  const { unexplained, undelivered, prunedRecords } = audit
  return {
    transferSeq,
    transferHash,
    recordSeq,
    usageRecords,
    day,
    accounts,
    unexplained,
    undelivered: undelivered.list(),
    prunedRecords,
  }
}
