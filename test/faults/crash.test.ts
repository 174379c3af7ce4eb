import { expect, it } from 'vitest'
import type { Failpoint } from '../../src/lib/failpoint.ts'
import { expectAcknowledged } from '../crash/expect-acknowledged.ts'
import { loadUntilDeath } from '../crash/load.ts'
import { useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { createDatabase, describePostgres, query, type TestDatabase } from '../support/postgres/index.ts'
import { waitFor } from '../support/wait-for.ts'

const long = process.env['RIALTO_TEST_LONG'] === '1'

/** Places where the process kills itself as `kill -9` does, and at which arrival there the load is well under way. */
const places: readonly (readonly [Failpoint, number])[] = [
  ['reserve.after_commit_before_ack', 9],
  ['mark.written', 4],
  ['settle.after_commit_before_ack', 9],
]
/** Places beside them, which a short run leaves to SQLite: what is between is the same. */
const furtherPlaces: readonly (readonly [Failpoint, number])[] = [
  ['reserve.before_commit', 9],
  ['dispatch.before', 9],
  ['stream.first_byte', 5],
  ['stream.mid', 25],
  ['usage.seen', 7],
  ['settle.before_tx', 9],
  ['settle.before_commit', 9],
  ['done.before_write', 7],
  ['done.after_write', 7],
]
const arrivals = (nth: number): readonly number[] => (long ? [1, nth, 5 * nth] : [nth])
const cases = [...places, ...(long ? furtherPlaces : [])].flatMap(([place, nth]) =>
  arrivals(nth).map(at => [place, at] as const),
)

const text = ['one', ' two', ' three', ' four', ' five', ' six']
let database: TestDatabase

const gateway = useGateway(async () => {
  database = await createDatabase()
  return { store: { url: database.url } }
})

/** The lease of the process that died would be over in fifteen seconds. */
async function restart(environment: Record<string, string> = {}): Promise<void> {
  await gateway.process.kill()
  await query(database.url, 'UPDATE gateways SET lease_until_ms = 0')
  await gateway.serve({ environment })
}

async function isIdle(): Promise<boolean> {
  const active = "SELECT FROM pg_stat_activity WHERE datname = $1 AND state <> 'idle' AND pid <> pg_backend_pid()"
  return (await query(database.url, active, [database.name])).length === 0
}

describePostgres('kill -9 under load on PostgreSQL, and a start after it', () => {
  it.each(cases)(
    'at %s (arrival %i): every cost that was seen has its debit, and no hold is left',
    async (place, at) => {
      gateway.engine().always(answer({ text, everyMs: 4 }))
      await restart({ RIALTO_FAILPOINT: `${place}:${at}` })
      const acknowledged = await loadUntilDeath(gateway, `${place.replace('.', '-')}-${at}`)
      expect(await gateway.process.exited).toEqual({ code: null, signal: 'SIGKILL' })
      // What the process had sent is still carried out.
      await waitFor('the server to be idle', isIdle)
      const before = await (await gateway.store()).verify()
      expect(before.problems).toEqual([])
      await restart()
      const after = await (await gateway.store()).verify()
      expect(after).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
      expect(after.usageRecords).toBe(before.usageRecords + before.holdsOpen)
      await expectAcknowledged(gateway, acknowledged, text)
    },
  )
})
