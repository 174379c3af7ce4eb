import { parentPort, workerData } from 'node:worker_threads'
import type { Operation, OperationResult } from '../../groups/operations.ts'
import type { Snapshot } from '../../sql/snapshot.ts'
import { createSqlStores, runStoreCall, type SqlStores } from '../../sql/sql-stores.ts'
import { openReader, type SqliteDatabase } from '../connection.ts'
import { createKysely } from '../kysely-on-libsql.ts'
import { packError } from '../pack-error.ts'
import { faultOf } from '../sqlite-fault.ts'
import { sqliteTraits } from '../sqlite-traits.ts'
import type { WorkerStart } from './protocol.ts'
import { serveGroups } from './serve-groups.ts'

/** A thread that only reads, so that a long statement or verification holds up neither admissions nor the main thread. */
const { path } = workerData as WorkerStart

interface Reader {
  readonly database: SqliteDatabase
  readonly stores: SqlStores
  readonly snapshot: Snapshot
}

let opened: Reader | null = null

/** The file is opened with the first call: the thread starts beside the one that may have to create it. */
function reader(): Reader {
  opened ??= openSnapshots(openReader(path))
  return opened
}

function openSnapshots(database: SqliteDatabase): Reader {
  const sql = createKysely(database)
  const snapshot: Snapshot = async read => {
    database.exec('begin')
    try {
      return await read(sql)
    } finally {
      if (database.inTransaction) database.exec('commit')
    }
  }
  return { database, snapshot, stores: createSqlStores(sql, snapshot, sqliteTraits) }
}

/** Each call sees the store at one moment, however many statements it takes; verification sees to that itself. */
async function run(operation: Operation): Promise<OperationResult> {
  if (operation.kind !== 'call') throw new TypeError('a reader runs calls only')
  const { stores, snapshot } = reader()
  const call = () => runStoreCall(stores, operation.call)
  try {
    return { value: await (operation.call.method === 'verify' ? call() : snapshot(call)) }
  } catch (error) {
    if (faultOf(error) === 'fatal') throw error
    return { error: packError(error) }
  }
}

serveGroups(parentPort, async () => ({
  async run(group) {
    const results: OperationResult[] = []
    for (const operation of group) results.push(await run(operation))
    return results
  },
  close: () => void opened?.database.close(),
}))
