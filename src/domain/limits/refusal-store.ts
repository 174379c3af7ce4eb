import type { AccountId } from '../../core/ids.ts'
import type { RateRefusal } from './types.ts'

/** How many refusals of an account are kept (venice.md §5.3). */
export const refusalsKept = 50

/** Port: the last requests of each account that a rate refused. */
export interface RefusalStore {
  /** Keeps the newest of each account; those of an account or a key that is not there are left out. */
  add(refusals: readonly RateRefusal[]): Promise<void>
  /** The newest first. */
  list(accountId: AccountId): Promise<readonly RateRefusal[]>
}
