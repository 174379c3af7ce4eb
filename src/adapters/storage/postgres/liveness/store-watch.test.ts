import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MemoryLogger } from '../../../../../test/support/memory-logger.ts'
import { StoreUnavailable } from '../../../../core/store-error.ts'
import { createLease } from './lease.ts'
import { type StoreWatch, watchStore } from './store-watch.ts'

const leaseMs = 15_000

type Answer = 'at once' | 'never' | 'refuses'

let answer: Answer
let queries: number
let pools: string[]
let logger: MemoryLogger
let watch: StoreWatch
/** How far the database's clock is behind this one. */
let behindMs: number

const pool = {
  query: async () => {
    queries += 1
    if (answer === 'never') return new Promise<never>(() => undefined)
    if (answer === 'refuses') throw new StoreUnavailable('refused')
    return [{ now_ms: String(Date.now() - behindMs) }] as never
  },
}
const clock = { now: () => Date.now(), monotonic: () => performance.now() }

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  answer = 'at once'
  queries = 0
  behindMs = 0
  pools = []
  logger = new MemoryLogger()
  const lease = createLease({ pool, clock, processId: 'proc_a', leaseMs })
  await lease.renew()
  watch = watchStore({
    ...{ lease, leaseMs, clock, logger },
    onDown: () => pools.push('down'),
    onUp: () => pools.push('up'),
  })
})
afterEach(async () => {
  await watch.stop()
  vi.useRealTimers()
})

it('renews the lease with one statement every five seconds', async () => {
  await vi.advanceTimersByTimeAsync(60_000)
  expect(queries).toBe(1 + 12)
  expect([watch.mayAdmit, watch.outage]).toEqual([true, null])
  expect(logger.lines).toEqual([])
})

it.each(['never', 'refuses'] as const)(
  'knows within seconds of a store that answers %s, and of its return',
  async how => {
    answer = how
    await vi.advanceTimersByTimeAsync(7_100)
    expect([watch.mayAdmit, watch.outage]).toEqual([false, 1])
    answer = 'at once'
    await vi.advanceTimersByTimeAsync(3_000)
    expect([watch.mayAdmit, watch.outage]).toEqual([true, null])
    expect([pools[0], pools.at(-1)]).toEqual(['down', 'up'])
    expect(logger.events()).toEqual(['store.unreachable', 'store.reachable'])
  },
)

it('looks at once when somebody suspects, and not more than twice a second', async () => {
  await vi.advanceTimersByTimeAsync(1_000)
  for (let count = 0; count < 100; count += 1) watch.suspect()
  await vi.advanceTimersByTimeAsync(0)
  expect(queries).toBe(2)
  for (let count = 0; count < 100; count += 1) {
    watch.suspect()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(queries).toBeLessThanOrEqual(5)
})

it('admits nothing with a lease that is over, also when nobody looked meanwhile', async () => {
  // As a machine that slept: the wall clock went on, and no timer ran.
  vi.setSystemTime(Date.now() + leaseMs)
  expect([watch.mayAdmit, watch.outage]).toEqual([false, null])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(watch.mayAdmit).toBe(true)
  expect(logger.events()).toEqual(['store.lease_lost'])
})

it.each([
  ['ahead of', 30_000],
  ['behind', -30_000],
])('says once, and again after it was mended, that its clock is %s that of the database', async (_, ms) => {
  const said = () => logger.lines.map(({ event, fields }) => [event, fields])
  const differs = ['store.clock_differs', { aheadMs: ms }]
  behindMs = ms
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said()).toEqual([differs])
  behindMs = ms / 10
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said()).toEqual([differs])
  behindMs = ms
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said()).toEqual([differs, differs])
  expect(watch.mayAdmit).toBe(true)
})
