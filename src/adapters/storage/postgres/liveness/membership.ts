import type { Clock } from '../../../../core/clock.ts'
import type { Logger } from '../../../../core/logger.ts'
import type { IdempotencyStore } from '../../../../domain/idempotency/idempotency-store.ts'
import type { GroupChannel } from '../../groups/group-sender.ts'
import type { MoneyStore } from '../../groups/money-store.ts'
import { createJournalFile } from '../journal/journal-file.ts'
import {
  createJournalReplay,
  type JournalReplay,
  journalPath,
  openJournalFolder,
  type SettlePacked,
} from '../journal/replay-journals.ts'
import { createSettlementJournal } from '../journal/settlement-journal.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { holdsLease } from './database-clock.ts'
import { guardChannel, guardPool } from './guard-pool.ts'
import { createKnownWork, type KnownWork } from './known-work.ts'
import { createLease, leaseMsDefault } from './lease.ts'
import { watchStore } from './store-watch.ts'

/** A gateway among others on the same store. */
export interface ReplicaOptions {
  /** Its name in holds and keys; new with each start. */
  readonly processId: string
  /** Where settlements are kept while the store cannot take them; processes may share it. */
  readonly journalFolder: string
  /** How long others wait before they believe it dead. Default 15 s. */
  readonly leaseMs?: number
}

/** What being one of the gateways adds to the use of a store. */
export interface Membership {
  /** Null for one that admits nothing. */
  readonly own: { readonly processId: string; readonly known: Pick<KnownWork, 'holds' | 'keys'> } | null
  mayAdmit(): boolean
  guardPool(pool: PostgresPool): PostgresPool
  guardChannel(channel: GroupChannel): GroupChannel
  /** The same store, with its holds noted and its settlements covered by the journal. */
  cover(money: MoneyStore): MoneyStore
  noteKeys(store: IdempotencyStore): IdempotencyStore
  /** What brings to the store what dead processes on this data folder left in their journals. */
  replayWith(settle: SettlePacked): JournalReplay
  /** Before the store's queue is closed: whatever is in it outlives the process. */
  prepareToLeave(): Promise<void>
  leave(): Promise<void>
}

/** Commands, and stores that only read: they take no lease and keep no journal. */
export const outsider: Membership = {
  own: null,
  mayAdmit: () => true,
  guardPool: pool => pool,
  guardChannel: channel => channel,
  cover: money => money,
  noteKeys: store => store,
  replayWith: () => ({ run: () => Promise.resolve() }),
  prepareToLeave: () => Promise.resolve(),
  leave: () => Promise.resolve(),
}

export interface MembershipOptions extends ReplicaOptions {
  readonly pools: { readonly money: PostgresPool; readonly lookups: PostgresPool; readonly reports: PostgresPool }
  readonly clock: Clock
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Takes a lease, keeps it, and opens the journal. @throws StoreUnavailable, or an error of the folder */
export async function joinGateways(options: MembershipOptions): Promise<Membership> {
  const { processId, journalFolder: folder, leaseMs = leaseMsDefault, pools, clock, logger } = options
  await openJournalFolder(folder)
  const lease = createLease({ pool: pools.money, clock, processId, leaseMs })
  await lease.renew()
  await lease.forgetDead()
  const all = Object.values(pools)
  const watch = watchStore({
    ...{ lease, leaseMs, clock, logger },
    onDown() {
      for (const pool of all) pool.renew()
      // Callers are waiting for these; money's are waited for until the store answers again, because it may have them.
      pools.lookups.cutOld()
    },
    onUp() {
      for (const pool of all) pool.cutOld()
    },
  })
  const known = createKnownWork()
  const journal = createSettlementJournal({ file: createJournalFile(journalPath(folder, processId)), clock, logger })
  const isAlive = (id: string) => hasLease(pools.lookups, id)

  return {
    own: { processId, known },
    mayAdmit: () => watch.mayAdmit,
    guardPool: pool => guardPool(pool, watch),
    guardChannel: channel => guardChannel(channel, watch),
    cover(money) {
      const noted = known.noteHolds(money)
      return { ...noted, settle: settlement => journal.cover(settlement, noted.settle(settlement)) }
    },
    noteKeys: known.noteKeys,
    replayWith: settle => createJournalReplay({ folder, processId, settle, isAlive, logger }),
    prepareToLeave: () => journal.flush(),
    async leave() {
      await journal.close()
      await watch.stop()
    },
  }
}

async function hasLease(pool: PostgresPool, processId: string): Promise<boolean> {
  const [row] = await pool.query<{ alive: boolean }>(`select ${holdsLease('$1')} as alive`, [processId])
  return row?.alive === true
}
