import { beforeAll, it } from 'vitest'
import type { Failpoint } from '../../src/lib/failpoint.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Acknowledged } from './crash-child.ts'
import { checkAfterRestart, type RandomMoment, runUntilKilled } from './crash-run.ts'
import { openPostgres } from './open-test-storage.ts'

const isLong = process.env['RIALTO_TEST_LONG'] === '1'
const arrivals = isLong ? [1, 2, 3, 5, 8, 13, 21, 34] : [5]
const randomMoments: readonly RandomMoment[] = Array.from({ length: isLong ? 40 : 2 }, () => ({
  afterMs: Math.random() * 400,
}))

/** Around what is sent to the server; the last kills a recovery that follows a kill with open holds. */
const scenarios: readonly (readonly Failpoint[])[] = [
  ['reserve.before_commit'],
  ['reserve.after_commit_before_ack'],
  ['mark.written'],
  ['settle.before_tx'],
  ['settle.after_commit_before_ack'],
  ['mark.written', 'sweep.in_tx'],
]

describePostgres('kill -9 of a process on PostgreSQL', () => {
  let url: string
  beforeAll(async () => {
    url = (await createDatabase()).url
  })

  for (const places of scenarios) {
    for (const nth of arrivals) {
      it(`at ${places.join(', then ')} (${nth}) loses nothing that was acknowledged`, async () => {
        const acknowledged: Acknowledged[] = []
        for (const [index, name] of places.entries())
          acknowledged.push(...(await runUntilKilled(url, { name, nth: index === 0 ? nth : 1 })))
        await checkBooks(url, acknowledged)
      })
    }
  }

  for (const [index, moment] of randomMoments.entries()) {
    it(`at some moment (${index + 1}) loses nothing that was acknowledged`, async () => {
      await checkBooks(url, await runUntilKilled(url, moment))
    })
  }
})

async function checkBooks(url: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  // What the dead process had sent is still carried out.
  await waitFor('the statements of the dead process to end', () => isQuiet(url))
  const storage = await openPostgres(url)
  try {
    await checkAfterRestart(storage, acknowledged)
  } finally {
    await storage.close()
  }
}

async function isQuiet(url: string): Promise<boolean> {
  const others = `select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  return (await query(url, others)).length === 0
}
