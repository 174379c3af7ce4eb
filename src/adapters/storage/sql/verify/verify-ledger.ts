import type { VerifyReport } from '../../../../domain/ledger/types.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Sql } from '../tables.ts'
import { type Audit, createAudit } from './audit.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { verifyRecords } from './verify-records.ts'
import { verifyTransfers } from './verify-transfers.ts'

/** Pruning moves records out of sight while they are counted; it seldom runs, so trying again is enough. */
const attempts = 3

/**
 * Adds everything up again from transfers, holds and usage records, and compares with what is kept beside them
 * (money.md §6): the books as they stood at one moment. Sums and open holds of that moment are read at once; transfers and
 * records never change afterwards, so they are read piece by piece, with pauses: one long read would keep the write-ahead
 * log from being folded and so, on a busy gateway, stop admissions.
 */
export async function verifyLedger(snapshot: Snapshot): Promise<VerifyReport> {
  for (let attempt = 1; ; attempt++) {
    const audit = await snapshot(createAudit)
    const transfers = await verifyTransfers(snapshot, audit)
    const usageRecords = await verifyRecords(snapshot, audit)
    verifyAccounts(audit)
    const disturbed = (await snapshot(countPruned)) !== audit.prunedRecords
    if (!disturbed || attempt === attempts) return reportOf(audit, { transfers, usageRecords })
  }
}

async function countPruned(sql: Sql): Promise<number> {
  return (await createAudit(sql)).prunedRecords
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
