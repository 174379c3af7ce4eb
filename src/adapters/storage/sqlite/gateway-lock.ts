import { openLockFile, type SqliteDatabase } from './connection.ts'
import { faultOf } from './sqlite-fault.ts'

/**
 * Keeps a second gateway off a store: two would resolve each other's holds as those of a dead process. The lock is an
 * open exclusive transaction on an empty file beside the database, so the system takes it back when the process ends in
 * whatever way, and it means the same in containers, where process ids repeat. Null while a gateway holds it.
 */
export function tryGatewayLock(databasePath: string): SqliteDatabase | null {
  const lock = openLockFile(`${databasePath}.lock`)
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (faultOf(error) !== 'unavailable') throw error
    return null
  }
}

/** @throws Error when another gateway holds the lock. */
export function takeGatewayLock(databasePath: string): SqliteDatabase {
  const lock = tryGatewayLock(databasePath)
  if (lock !== null) return lock
  throw new Error('another gateway runs on this store: stop it first, or give this one a store of its own')
}
