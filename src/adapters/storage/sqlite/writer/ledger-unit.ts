import type { HoldId } from '../../../../core/ids.ts'
import { failpoint } from '../../../../lib/failpoint.ts'
import type { SqliteDatabase } from '../connection.ts'
import { type AccountRows, createAccountRows } from './account-rows.ts'
import { type BucketRows, createBucketRows } from './bucket-rows.ts'
import { createHoldRows, type HoldRows } from './hold-rows.ts'
import { createKeyDayRows, type KeyDayRows } from './key-day-rows.ts'
import { createKeyRows, type KeyRows } from './key-rows.ts'
import { createLedgerHead, type LedgerHead } from './ledger-head.ts'
import { createPriceRows } from './price-rows.ts'
import { createRecordRows, type FoundResolution, type RecordRows, type Resolution } from './record-rows.ts'
import { createTransferRows, type TransferRows } from './transfer-rows.ts'

/**
 * The unit of work behind one write transaction. Operations read rows through it, change them in memory and append new
 * ones; `commit` writes all of it. Money.md §2 wants one truth: nothing here survives a transaction in which somebody
 * else may have written, and nothing is acknowledged before the commit.
 */
export interface LedgerUnit {
  readonly accounts: AccountRows
  readonly keys: KeyRows
  readonly buckets: BucketRows
  readonly keyDays: KeyDayRows
  readonly holds: HoldRows
  readonly transfers: TransferRows
  readonly records: RecordRows
  readonly head: LedgerHead
  readonly prices: ReturnType<typeof createPriceRows>
  /** Takes the write lock, waiting for it as long as the connection's busy timeout. */
  begin(): void
  /** Removes the hold and writes its usage record: the one resolution that the hold gets. */
  resolve(resolution: Resolution, balanceBeforeNano: bigint): void
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
  const keyDays = createKeyDayRows(database)
  const holds = createHoldRows(database)
  const records = createRecordRows(database)
  const head = createLedgerHead(database)
  const transfers = createTransferRows(database, head, accounts)
  const sameSnapshot = createSnapshotCheck(database)

  const sums = [accounts, keys, buckets, keyDays, head]

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
    ...{ accounts, keys, buckets, keyDays, holds, transfers, records, head },
    prices: createPriceRows(database),
    begin() {
      database.exec('begin immediate')
      if (!sameSnapshot()) forget()
    },
    resolve(resolution, balanceBeforeNano) {
      holds.remove(resolution.hold)
      records.add(resolution, balanceBeforeNano)
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
