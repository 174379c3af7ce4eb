import type { Clock } from '../../../../core/clock.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { databaseNowMs } from './database-clock.ts'

/** A gateway that has not been heard of for so long is dead (money.md §2 "Crash"). */
export const leaseMsDefault = 15_000

/** A gateway's sign of life in the store. Who holds none must not admit: others may be resolving its holds. */
export interface Lease {
  /** Judged by this process's own clocks, from before the request for it left: never longer than the server's view. */
  readonly isHeld: boolean
  /**
   * By how many milliseconds this gateway's clock was ahead of the database's at the last renewal, below zero behind it; 0 as
   * far as the way there and back explains it.
   */
  readonly aheadMs: number
  /** Takes the lease, or prolongs it, in one round trip. @throws StoreUnavailable */
  renew(): Promise<void>
  /** Removes what is left of gateways that died long ago: who is not in the table is as dead. @throws StoreUnavailable */
  forgetDead(): Promise<void>
  /** The process has nothing open any more. @throws StoreUnavailable */
  giveBack(): Promise<void>
}

export interface LeaseOptions {
  readonly pool: Pick<PostgresPool, 'query'>
  readonly clock: Clock
  readonly processId: string
  readonly leaseMs: number
}

const renewal = `
  insert into gateways (process_id, lease_until_ms) values ($1, ${databaseNowMs} + $2)
  on conflict (process_id) do update set lease_until_ms = excluded.lease_until_ms
  returning lease_until_ms - $2 as now_ms`

const forgetAfterMs = 3_600_000
const removal = `delete from gateways where lease_until_ms < ${databaseNowMs} - $1`

/**
 * The end is set by the database's clock, so that clocks of gateways need not agree. Here both clocks must say that it is
 * not over: the monotonic one stands still while a machine sleeps, and the other one may be set.
 */
export function createLease({ pool, clock, processId, leaseMs }: LeaseOptions): Lease {
  let heldSince: { readonly wallMs: number; readonly monotonicMs: number } | null = null
  let aheadMs = 0
  return {
    get isHeld() {
      if (heldSince === null) return false
      return clock.monotonic() - heldSince.monotonicMs < leaseMs && clock.now() - heldSince.wallMs < leaseMs
    },
    get aheadMs() {
      return aheadMs
    },
    async renew() {
      const asked = { wallMs: clock.now(), monotonicMs: clock.monotonic() }
      const [row] = await pool.query<{ now_ms: string }>(renewal, [processId, leaseMs])
      if (row !== undefined) aheadMs = distance(Number(row.now_ms), asked.wallMs, clock.now())
      // An answer that was given up may still come, after that of a later renewal.
      if (heldSince === null || asked.monotonicMs > heldSince.monotonicMs) heldSince = asked
    },
    async forgetDead() {
      await pool.query(removal, [forgetAfterMs])
    },
    async giveBack() {
      heldSince = null
      await pool.query('delete from gateways where process_id = $1', [processId])
    },
  }
}

/** How far a time is from a stretch of time: above zero when it lies before, below zero when behind. */
function distance(ms: number, fromMs: number, toMs: number): number {
  return Math.max(0, fromMs - ms) - Math.max(0, ms - toMs)
}
