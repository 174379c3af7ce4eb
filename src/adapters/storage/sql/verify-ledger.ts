import type { VerifyReport } from '../../../domain/ledger/types.ts'
import { createAudit } from './audit.ts'
import type { Sql } from './tables.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { verifyRecords } from './verify-records.ts'
import { verifyTransfers } from './verify-transfers.ts'

/**
 * Adds everything up again from transfers, holds and usage records, and compares with what is kept beside them
 * (money.md §6). To be called inside one read transaction, so that all of it is seen at one moment.
 */
export async function verifyLedger(sql: Sql): Promise<VerifyReport> {
  const audit = await createAudit(sql)
  const transfers = await verifyTransfers(sql, audit)
  const usageRecords = await verifyRecords(sql, audit)
  const holdsOpen = await verifyAccounts(sql, audit)
  const problems = audit.problems.list()
  return {
    ok: problems.length === 0,
    accounts: audit.accounts.size,
    transfers,
    holdsOpen,
    usageRecords,
    problems,
    undelivered: audit.undelivered.list(),
  }
}
