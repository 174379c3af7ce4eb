import type { AccountId } from '../../core/ids.ts'
import type { StoredUsageRecord, UsageQuery } from './types.ts'

/** Port: reading usage records. They are written by the settlement, in its transaction. */
export interface UsageStore {
  /**
   * Null for an unknown id and for another account's id alike: the two must not be told apart. Without an account (the
   * operator asks) any id is found.
   */
  findByGeneration(generationId: string, accountId: AccountId | null): Promise<StoredUsageRecord | null>
  list(
    query: UsageQuery,
  ): Promise<{ readonly records: readonly StoredUsageRecord[]; readonly nextCursor: string | null }>
  /** Removes records older than the retention, at most `limit` at a time; their debits stay. Returns how many went. */
  prune(beforeMs: number, limit: number): Promise<number>
}
