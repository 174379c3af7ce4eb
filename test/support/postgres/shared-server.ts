import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atEnd } from '../at-end.ts'
import { createDatabaseOn, type DatabaseOptions, type TestDatabase } from './database.ts'
import { PostgresServer } from './postgres-server.ts'
import { onceInRun, runFolder } from './run-folder.ts'

/** In memory a commit would take no time, and races would find fewer gaps: this is what a disk of today takes. */
const likeDisk = { commit_delay: 300, commit_siblings: 0 }

let port: Promise<number> | undefined

/**
 * A fresh, empty database on the server that all workers of the run share, started by whoever comes first. It is dropped when
 * the test is over, or the file when it was made in a `beforeAll`. The server must not be harmed: `startPostgres` is for that.
 */
export async function createDatabase(options?: DatabaseOptions): Promise<TestDatabase> {
  port ??= sharedPort()
  const database = await createDatabaseOn(await port, options)
  atEnd(() => database.drop())
  return database
}

async function sharedPort(): Promise<number> {
  const portFile = join(await runFolder(), 'shared-port')
  await onceInRun('shared-server', async () => {
    const server = await PostgresServer.create(likeDisk, 'memory')
    await writeFile(portFile, String(server.port))
  })
  return Number(await readFile(portFile, 'utf8'))
}
