import { parentPort, workerData } from 'node:worker_threads'
import { decideAdmission } from '../../../../domain/admission/decide-admission.ts'
import { armFailpoint } from '../../../../lib/failpoint.ts'
import { migrations } from '../../sql/migrations/index.ts'
import { readMoveMark, whyNotUsable } from '../../sql/move-mark.ts'
import { checkChainEnd } from '../../sql/verify/check-chain-end.ts'
import { openWriter } from '../connection.ts'
import { takeGatewayLock } from '../gateway-lock.ts'
import { createKysely } from '../kysely-on-libsql.ts'
import { migrate } from '../migrate.ts'
import { createWriter } from '../writer/create-writer.ts'
import { createLogWatch } from '../writer/log-watch.ts'
import { createRefusingWriter } from '../writer/refusing-writer.ts'
import type { LedgerWorkerStart } from './protocol.ts'
import { serveGroups } from './serve-groups.ts'

/**
 * The thread that owns the connection that writes. Its commits, checkpoints and waits for a lock never touch the main
 * thread, and what gathers while it works goes into the next commit together (performance.md §2.5).
 */
const { path, lock, failpoint, nowMs } = workerData as LedgerWorkerStart
armFailpoint(failpoint)

serveGroups(parentPort, async () => {
  const gatewayLock = lock ? takeGatewayLock(path) : null
  const database = openWriter(path)
  await migrate(database, migrations, nowMs)
  const sql = createKysely(database)
  const moved = whyNotUsable(await readMoveMark(sql))
  if (gatewayLock !== null) {
    if (moved !== null) throw new Error(moved)
    await checkChainEnd(sql)
  }
  const writer =
    moved === null
      ? createWriter({ database, decide: decideAdmission, log: createLogWatch(path) })
      : createRefusingWriter(moved)
  return {
    run: writer.run,
    close() {
      database.exec('pragma wal_checkpoint(passive)')
      database.close()
      gatewayLock?.close()
    },
  }
})
