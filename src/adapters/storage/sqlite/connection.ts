import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import Database from 'libsql'

export type SqliteDatabase = Database.Database

/** How long a writer of another process may hold the file before the store counts as unavailable (reliability.md S4). */
const busyTimeoutMs = 2_000

/** The write-ahead log is folded into the database at this size, and cut back to `journalBytesMax` on disk. */
const checkpointPages = 4_000
const journalBytesMax = 67_108_864
const cacheKibibytes = 32_768

const ownerOnly = 0o600

/**
 * Opens the connection that writes. `FULL` makes a commit survive power loss, not only the end of the process
 * (money.md §2). Integers are read as `bigint`.
 */
export function openWriter(path: string): SqliteDatabase {
  createOwnerOnly(path)
  const database = openDatabase(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  database.exec(`pragma wal_autocheckpoint = ${checkpointPages}; pragma journal_size_limit = ${journalBytesMax}`)
  return database
}

/** Opens a connection that cannot write, whatever statement it is given. */
export function openReader(path: string): SqliteDatabase {
  const database = openDatabase(path)
  database.exec('pragma query_only = on')
  return database
}

/** Opens a file that nobody but its locks is for. */
export function openLockFile(path: string): SqliteDatabase {
  createOwnerOnly(path)
  return new Database(path, { timeout: 0 })
}

function openDatabase(path: string): SqliteDatabase {
  const database = new Database(path, { timeout: busyTimeoutMs })
  database.defaultSafeIntegers(true)
  database.exec(`pragma cache_size = -${cacheKibibytes}; pragma temp_store = memory; pragma trusted_schema = off`)
  return database
}

/**
 * SQLite gives its side files the mode of the main one, so it is enough to make that one unreadable to others. A file that
 * exists is never opened here: closing it would take away every lock that this process has on it, those of SQLite included.
 */
function createOwnerOnly(path: string): void {
  if (existsSync(path)) chmodSync(path, ownerOnly)
  else closeSync(openSync(path, 'a', ownerOnly))
}
