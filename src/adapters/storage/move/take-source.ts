import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../core/clock.ts'
import type { Sql } from '../sql/tables.ts'
import { openWriter, type SqliteDatabase } from '../sqlite/connection.ts'
import { tryGatewayLock } from '../sqlite/gateway-lock.ts'
import { createKysely } from '../sqlite/kysely-on-libsql.ts'
import { faultOf } from '../sqlite/sqlite-fault.ts'

/** The source while nobody but this process can change it: no gateway starts, and commands find it locked. */
export interface TakenSource {
  /** Inside the one transaction that may write to it. */
  readonly sql: Sql
  commit(): void
  /** Lets go; what was not committed is taken back. */
  release(): void
}

export interface Patience {
  readonly clock: Clock
  readonly waitMs: number
  /** Runs again and again while the gateway has the store. */
  whileWaiting(leftMs: number): Promise<void>
}

const pollMs = 250

/** Resolves with the gateway's lock, which whoever has it must close. @throws Error when the gateway runs on for so long. */
export async function waitForGateway(path: string, { clock, waitMs, whileWaiting }: Patience): Promise<SqliteDatabase> {
  const deadlineMs = clock.monotonic() + waitMs
  for (;;) {
    const lock = tryGatewayLock(path)
    if (lock !== null) return lock
    const leftMs = deadlineMs - clock.monotonic()
    if (leftMs <= 0)
      throw new Error(
        `the gateway still runs on the SQLite store after ${Math.round(waitMs / 1_000)} s: nothing was changed for it, and ` +
          'what was copied stays. Stop it and run this again, or give it more time with --wait SECONDS',
      )
    await whileWaiting(leftMs)
    await pause(Math.min(pollMs, leftMs))
  }
}

/**
 * Takes the source over from everybody. Commands write to a store beside its gateway and without its lock, so a transaction
 * that may write is kept open: what they would book now would be left behind.
 * @throws Error when a command is writing.
 */
export function takeSource(path: string, lock: SqliteDatabase): TakenSource {
  const writer = openWriter(path)
  function release(): void {
    if (writer.inTransaction) writer.exec('rollback')
    writer.close()
    lock.close()
  }
  try {
    begin(writer)
  } catch (error) {
    release()
    throw error
  }
  return { sql: createKysely(writer), commit: () => void writer.exec('commit'), release }
}

function begin(writer: SqliteDatabase): void {
  try {
    writer.exec('begin immediate')
  } catch (error) {
    if (faultOf(error) !== 'unavailable') throw error
    throw new Error('another command is writing to the SQLite store: run this again when it has ended', {
      cause: error,
    })
  }
}
