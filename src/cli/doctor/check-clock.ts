import type { Storage } from '../with-store.ts'
import { type Check, failed, passed } from './check.ts'

/** No correct clock is before the time at which this was written. */
const earliestMs = Date.UTC(2026, 0, 1)
/** What clocks of several machines on one store may differ by. */
const toleranceMs = 60_000

const anything = { accountId: null, keyId: null, model: null, outcome: null, status: null, fromMs: null, toMs: null }

/** Expiry, daily limits and rates depend on the clock; one that went back shows as records of the future. */
export async function checkClock({ identity, usage }: Storage, nowMs: number): Promise<Check> {
  const name = 'clock'
  const mend = 'set the clock, and keep it right with NTP'
  const shown = new Date(nowMs).toISOString()
  if (nowMs < earliestMs) return failed(name, `${shown} is in the past`, mend)
  const accounts = await identity.listAccounts()
  const latest = await usage.list({ ...anything, limit: 1, cursor: null })
  const newestMs = Math.max(0, ...[...accounts, ...latest.records].map(({ createdAtMs }) => createdAtMs))
  if (newestMs <= nowMs + toleranceMs) return passed(name, shown)
  return failed(name, `${shown} is before the newest record, of ${new Date(newestMs).toISOString()}`, mend)
}
