import { sql } from 'kysely'
import type { Clock } from '../../../core/clock.ts'
import { StoreUnavailable } from '../../../core/store-error.ts'
import type { Secret } from '../../../lib/secret.ts'
import { databaseNowMs } from '../postgres/liveness/database-clock.ts'
import { type MoveMark, moveSetting, readMoveMark, writeMoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import { type BookCounts, countBooks } from './count-books.ts'
import { type MoveSource, openSource } from './open-source.ts'
import { openTarget } from './open-target.ts'
import { takeSource, waitForGateway } from './take-source.ts'

export interface UndoOptions {
  readonly path: string
  readonly url: Secret
  /** Goes back although what PostgreSQL booked since is lost with it, or although it cannot be reached. */
  readonly discard: boolean
  readonly clock: Clock
}

/**
 * Makes the SQLite store usable again after it was left. The database in PostgreSQL is closed first, so that no two
 * gateways spend the same balances.
 * @throws Error when the source was not left, or PostgreSQL holds what the source lacks and that is not to be discarded.
 */
export async function undoMove({ path, url, discard, clock }: UndoOptions): Promise<void> {
  const source = await openSource(path)
  try {
    const lock = await waitForGateway(path, { clock, waitMs: 0, whileWaiting: () => Promise.resolve() })
    const taken = takeSource(path, lock)
    try {
      const left = await readMoveMark(taken.sql)
      if (left === null) throw new Error('the SQLite store was never left: there is nothing to undo')
      await closeTarget(left, { source, url, discard })
      await taken.sql.deleteFrom('settings').where('name', '=', moveSetting).execute()
      taken.commit()
    } finally {
      taken.release()
    }
  } finally {
    source.close()
  }
}

type Closing = Pick<UndoOptions, 'url' | 'discard'> & { readonly source: MoveSource }

async function closeTarget(left: MoveMark, { source, url, discard }: Closing): Promise<void> {
  try {
    const target = await openTarget(url)
    try {
      await target.transaction(async arrived => {
        const mark = await readMoveMark(arrived)
        if (mark?.moveId !== left.moveId)
          throw new Error('this is not the database into which the SQLite store was moved')
        await checkStopped(arrived)
        if (!discard && mark.state === 'complete') await checkUnused(source, arrived)
        await writeMoveMark(arrived, { ...mark, state: 'undone', runId: '' })
      })
    } finally {
      await target.end()
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || !discard) throw error
  }
}

/** One that ended orderly has given its lease back; that of one that was killed is over within half a minute. */
async function checkStopped(arrived: Sql): Promise<void> {
  const { rows } = await sql`
    select 1 from gateways where lease_until_ms > ${sql.raw(databaseNowMs)} limit 1`.execute(arrived)
  if (rows.length > 0)
    throw new Error('a gateway runs on the PostgreSQL database, or was killed just now: stop it first')
}

/** Numbers of transfers and records only grow, so the counts say whether anything was added. */
async function checkUnused(source: MoveSource, arrived: Sql): Promise<void> {
  const [before, since] = [await countBooks(source.sql), await countBooks(arrived)]
  const names = Object.keys(since) as (keyof BookCounts)[]
  const changed = names.filter(name => name !== 'idempotencyKeys' && before[name] !== since[name])
  if (changed.length === 0) return
  const figures = changed.map(name => `${name}: ${before[name]} in SQLite, ${since[name]} in PostgreSQL`)
  throw new Error(
    `PostgreSQL was used since the move, and what it booked would be lost (${figures.join('; ')}). Stop every gateway on it; ` +
      'then --discard goes back all the same',
  )
}
