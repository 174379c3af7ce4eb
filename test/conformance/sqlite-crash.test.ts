import { join } from 'node:path'
import { describe, it } from 'vitest'
import type { Failpoint } from '../../src/lib/failpoint.ts'
import type { Acknowledged } from './crash-child.ts'
import { checkAfterRestart, runUntilKilled } from './crash-run.ts'
import { makeFolder } from './make-folder.ts'
import { openSqlite } from './open-test-storage.ts'

/** Kills at each place; the long run kills at several arrivals there. */
const arrivals = process.env['RIALTO_TEST_LONG'] === '1' ? [1, 2, 3, 5, 8, 13, 21, 34] : [5]

/** Places in the order in which a request reaches them; the last kills a recovery that follows a kill with open holds. */
const scenarios: readonly (readonly Failpoint[])[] = [
  ['group.flush_start'],
  ['group.flush_end'],
  ['idem.before_claim'],
  ['idem.after_claim'],
  ['reserve.before_commit'],
  ['reserve.after_commit_before_ack'],
  ['mark.written'],
  ['settle.before_tx'],
  ['settle.in_tx'],
  ['settle.before_commit'],
  ['settle.after_commit_before_ack'],
  ['idem.before_complete'],
  ['idem.after_complete'],
  ['post.in_tx'],
  ['mark.written', 'sweep.in_tx'],
]

describe('kill -9', () => {
  for (const places of scenarios) {
    for (const nth of arrivals) {
      it(`at ${places.join(', then ')} (${nth}) loses nothing that was acknowledged`, async () => {
        const path = join(makeFolder(), 'rialto.db')
        const acknowledged: Acknowledged[] = []
        for (const [index, place] of places.entries())
          acknowledged.push(...(await runUntilKilled(path, { name: place, nth: index === 0 ? nth : 1 })))
        const storage = await openSqlite(path)
        try {
          await checkAfterRestart(storage, acknowledged)
        } finally {
          await storage.close()
        }
      })
    }
  }
})
