import { parentPort, workerData } from 'node:worker_threads'
import { openReader, type SqliteDatabase } from './connection.ts'
import { createKysely } from './kysely-on-libsql.ts'
import { packError } from './packed-error.ts'
import type { Operation, OperationResult, SqlStores, WorkerStart } from './protocol.ts'
import { serveGroups } from './serve-groups.ts'
import { createSqlStores, runStoreCall } from './sql-stores.ts'
import { faultOf } from './sqlite-fault.ts'

/** A thread that only reads, so that a long statement or verification holds up neither admissions nor the main thread. */
const { path } = workerData as WorkerStart

interface Reader {
  readonly database: SqliteDatabase
  readonly stores: SqlStores
}

let opened: Reader | null = null

/** The file is opened with the first call: the thread starts beside the one that may have to create it. */
function reader(): Reader {
  if (opened === null) {
    const database = openReader(path)
    opened = { database, stores: createSqlStores(createKysely(database)) }
  }
  return opened
}

/** Each call sees the store at one moment, however many statements it takes. */
async function run(operation: Operation): Promise<OperationResult> {
  if (operation.kind !== 'call') throw new TypeError('a reader runs calls only')
  const { database, stores } = reader()
  database.exec('begin')
  try {
    return { value: await runStoreCall(stores, operation.call) }
  } catch (error) {
    if (faultOf(error) === 'fatal') throw error
    return { error: packError(error) }
  } finally {
    if (database.inTransaction) database.exec('commit')
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
