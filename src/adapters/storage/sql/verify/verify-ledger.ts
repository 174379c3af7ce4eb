import type { VerifyReport } from '../../../../domain/ledger/types.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Audit, createAudit } from './audit.ts'
import { allDays, listDayRanges } from './day-ranges.ts'
import { countPruned, ifNothingWasPruned, nothingVerified, type VerifiedPart } from './verified-part.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { verifyRecords } from './verify-records.ts'
import { verifyTransfers } from './verify-transfers.ts'
import { verifyPruned, verifyUsageDays } from './verify-usage-days.ts'

/** Pruning moves records out of sight while they are counted; it seldom runs, so trying again is enough. */
const attempts = 3

/**
 * Adds everything up again from transfers, holds and usage records, and compares with what is kept beside them
 * (money.md §6): the books as they stood at one moment. Sums and open holds of that moment are read at once; transfers and
 * records never change afterwards, so they are read piece by piece, with pauses: one long read would keep the write-ahead
 * log from being folded and so, on a busy gateway, stop admissions. What `earlier` has seen is not read again.
 */
export async function verifyLedger(snapshot: Snapshot, earlier: VerifiedPart = nothingVerified): Promise<VerifyReport> {
  for (let attempt = 1; ; attempt++) {
    const before = await ifNothingWasPruned(snapshot, earlier)
    const audit = await snapshot(sql => createAudit(sql, before))
    const transfers = before.transferSeq + (await verifyTransfers(snapshot, audit))
    const days = await snapshot(sql => listDayRanges(sql, allDays))
    const usageRecords = before.usageRecords + (await verifyRecords(snapshot, days, audit))
    await verifyUsageDays(snapshot, await snapshot(sql => listDayRanges(sql, { ...allDays, from: before.day })), audit)
    await verifyPruned(snapshot, audit)
    verifyAccounts(audit)
    const disturbed = (await snapshot(countPruned)) !== audit.prunedRecords
    if (!disturbed || attempt === attempts) return reportOf(audit, { transfers, usageRecords })
  }
}

function reportOf(audit: Audit, counts: Pick<VerifyReport, 'transfers' | 'usageRecords'>): VerifyReport {
  const problems = audit.problems.list()
  return {
    ok: problems.length === 0,
    accounts: audit.accounts.size,
    ...counts,
    holdsOpen: audit.holds.length,
    problems,
    undelivered: audit.undelivered.list(),
  }
}
