import type { AccountId } from '../../core/ids.ts'
import type {
  SoldLines,
  SoldLinesQuery,
  StoredUsageRecord,
  UsagePage,
  UsageQuery,
  UsageSummaries,
  UsageSummaryQuery,
} from './types.ts'

/** Port: reading usage records. They are written by the settlement, in its transaction, and so are the sums of them. */
export interface UsageStore {
  /**
   * Null for an unknown id and for another account's id alike: the two must not be told apart. Without an account (the
   * operator asks) any id is found.
   */
  findByGeneration(generationId: string, accountId: AccountId | null): Promise<StoredUsageRecord | null>
  /** An account, key or model that is not there has no records. @throws RangeError for a cursor that no page gave out. */
  list(query: UsageQuery): Promise<UsagePage>
  /** What requests of these days add up to, pruned ones included. @throws RangeError for days that are none. */
  summarise(query: UsageSummaryQuery): Promise<UsageSummaries>
  /** By model and kind, at most 2,000 of them, the dearest first; of records from before they were counted nothing. */
  soldLines(query: SoldLinesQuery): Promise<readonly SoldLines[]>
  /** Makes the store ready for records of the coming week. To be called at the start and every few hours; cheap. */
  prepareDays(nowMs: number): Promise<void>
  /**
   * Removes records of days that ended before `beforeMs`; their sums and debits stay. A call does a part of it: at most
   * `limit` records, or one whole day where a day is removed at once. Returns how many went; 0 says that none is left,
   * or that another gateway removes them now.
   */
  prune(beforeMs: number, limit: number): Promise<number>
}
