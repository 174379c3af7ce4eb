import type { AccountId } from '../../core/ids.ts'
import type { Logger } from '../../core/logger.ts'
import type { Timers } from '../../core/timers.ts'
import { type RefusalStore, refusalsKept } from './refusal-store.ts'
import type { RateRefusal } from './types.ts'

/** Refusals are stored together: whoever is refused a thousand times a second costs the store one write in it. */
const storeEveryMs = 1_000
/** Refusals that wait at a time. Of more than that nobody reads the last fifty, so further ones are not noted. */
const waitingMax = 500

export interface RefusalLogOptions {
  readonly store: RefusalStore
  readonly timers: Timers
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * The account's list of what a rate refused. It lies in the store, because each of several gateways sees its own part; and
 * it is written behind the requests, because a refusal must cost less than what it refuses.
 */
export interface RefusalLog {
  note(refusal: RateRefusal): void
  /** The newest first, with what this gateway noted until now. */
  list(accountId: AccountId): Promise<readonly RateRefusal[]>
  /** Stores what waits. */
  close(): Promise<void>
}

export function createRefusalLog({ store, timers, logger }: RefusalLogOptions): RefusalLog {
  let waiting = new Map<AccountId, RateRefusal[]>()
  let count = 0
  let cancel: (() => void) | null = null

  async function storeWaiting(): Promise<void> {
    cancel?.()
    cancel = null
    if (count === 0) return
    const refusals = [...waiting.values()].flat()
    waiting = new Map()
    count = 0
    try {
      await store.add(refusals)
    } catch (error) {
      logger.warn('limits.refusals_lost', { count: refusals.length, error })
    }
  }

  return {
    note(refusal) {
      const known = waiting.get(refusal.accountId) ?? []
      const isOldestGone = known.length === refusalsKept
      if (!isOldestGone && count === waitingMax) return
      waiting.set(refusal.accountId, known)
      known.push(refusal)
      if (isOldestGone) known.shift()
      else count += 1
      cancel ??= timers.after(storeEveryMs, () => void storeWaiting())
    },
    async list(accountId) {
      await storeWaiting()
      return store.list(accountId)
    },
    close: storeWaiting,
  }
}
