import type { HoldId } from '../../../../core/ids.ts'
import { failpoint } from '../../../../lib/failpoint.ts'
import type { SqliteDatabase } from '../connection.ts'
import { type AccountRows, createAccountRows } from './account-rows.ts'
import { type BucketRows, createBucketRows } from './bucket-rows.ts'
import { createFailureRows, type FailureRows } from './failure-rows.ts'
import { createHoldRows, type HoldRows } from './hold-rows.ts'
import { createKeyRows, type KeyRows } from './key-rows.ts'
import { createLedgerHead, type LedgerHead } from './ledger-head.ts'
import { createPriceRows } from './price-rows.ts'
import {
  type Correction,
  createRecordRows,
  type FoundResolution,
  type RecordRows,
  type Resolution,
} from './record-rows.ts'
import { createTransferRows, type TransferRows } from './transfer-rows.ts'
import { type CountedRecord, createUsageDayRows } from './usage-day-rows.ts'
import { createUsageLineRows } from './usage-line-rows.ts'

/**
 * The unit of work behind one write transaction. Operations read rows through it, change them in memory and append new
 * ones; `commit` writes all of it. Money.md §2 wants one truth: nothing here survives a transaction in which somebody
 * else may have written, and nothing is acknowledged before the commit.
 */
export interface LedgerUnit {
  readonly accounts: AccountRows
  readonly keys: KeyRows
  readonly buckets: BucketRows
  readonly failures: FailureRows
  readonly holds: HoldRows
  readonly transfers: TransferRows
  readonly records: RecordRows
  readonly head: LedgerHead
  readonly prices: ReturnType<typeof createPriceRows>
  /** Takes the write lock, waiting for it as long as the connection's busy timeout. */
  begin(): void
  /** Removes the hold and writes its usage record: the one resolution that the hold gets. */
  resolve(resolution: Resolution, balanceBeforeNano: bigint): void
  /** Puts what a late settlement says in the place of what recovery or the sweeper had to guess. */
  correct(found: FoundResolution, correction: Correction): void
  /** The resolution of a hold that is not open; null when there never was such a hold. */
  findResolution(id: HoldId): FoundResolution | null
  /** Writes what is pending, so that statements beside the unit see it. */
  flush(): void
  /** Rows of accounts and keys are read again: a statement beside the unit may have changed them. */
  forgetIdentities(): void
  commit(): void
  rollback(): void
}

export function createLedgerUnit(database: SqliteDatabase): LedgerUnit {
  const accounts = createAccountRows(database)
  const keys = createKeyRows(database)
  const buckets = createBucketRows(database)
  const holds = createHoldRows(database)
  const records = createRecordRows(database)
  const usageDays = createUsageDayRows(database)
  const usageLines = createUsageLineRows(database)
  const head = createLedgerHead(database)
  const transfers = createTransferRows(database, head, accounts)
  const sameSnapshot = createSnapshotCheck(database)

  const sums = [accounts, keys, buckets, usageDays, usageLines, head]

  function flush(): void {
    const settles = records.pending > 0
    const posts = transfers.pending > 0
    holds.flush()
    records.flush()
    if (settles) failpoint('settle.in_tx')
    transfers.flush()
    if (posts) failpoint('post.in_tx')
    for (const rows of sums) rows.flush()
  }

  function forget(): void {
    for (const rows of [...sums, holds, records, transfers]) rows.forget()
  }

  return {
    ...{ accounts, keys, buckets, holds, transfers, records, head },
    prices: createPriceRows(database),
    failures: createFailureRows(database),
    begin() {
      database.exec('begin immediate')
      if (!sameSnapshot()) forget()
    },
    resolve(resolution, balanceBeforeNano) {
      holds.remove(resolution.hold)
      records.add(resolution, balanceBeforeNano)
      const counted = countedOf(resolution)
      usageDays.add(counted, 1)
      usageLines.add({ ...counted, lines: resolution.lines }, 1)
    },
    correct(found, correction) {
      const { record, lines, costNano, writeoffNano, paid } = correction
      const { outcome, usage } = record
      const diemNano = paid?.diemNano ?? 0n
      records.correct(found.holdSeq, correction)
      usageDays.add(found.counted, -1)
      usageDays.add({ ...found.counted, outcome, usage, costNano, writeoffNano, diemNano }, 1)
      usageLines.add({ ...found.counted, lines: found.lines }, -1)
      usageLines.add({ ...found.counted, lines, diemNano }, 1)
    },
    findResolution(id) {
      flush()
      return records.find(id)
    },
    flush,
    forgetIdentities() {
      accounts.forget()
      keys.forget()
    },
    commit() {
      flush()
      database.exec('commit')
    },
    rollback() {
      forget()
      if (database.inTransaction) database.exec('rollback')
    },
  }
}

function countedOf({ hold, record, costNano, writeoffNano, paid }: Resolution): CountedRecord {
  const { accountNo, keyNo } = hold
  const { model, outcome, createdAtMs, usage } = record
  const diemNano = paid?.diemNano ?? 0n
  return { accountNo, keyNo, model, outcome, createdAtMs, usage, costNano, writeoffNano, diemNano }
}

/** SQLite counts the commits of other connections; inside our write transaction that count cannot move. */
function createSnapshotCheck(database: SqliteDatabase): () => boolean {
  const select = database.prepare('pragma data_version').raw()
  let known: unknown = null
  return () => {
    const [version] = select.get([]) as unknown[]
    const same = version === known
    known = version
    return same
  }
}
