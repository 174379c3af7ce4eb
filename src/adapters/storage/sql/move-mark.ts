import { parseJson } from '../../../lib/json.ts'
import type { Sql } from './tables.ts'
import { listOf, numberOf, textOf } from './texts/stored-text.ts'

/** The setting that says that a deployment is on its way between two stores, or was (docs/migrating.md). */
export const moveSetting = 'move'

/**
 * How far a move is. On the store that is filled: `arriving` until it is the one to use, then `complete`; `undone` when the
 * old one is used again after all. On the store that was left: `left`.
 */
const moveStates = ['arriving', 'complete', 'undone', 'left'] as const
type MoveState = (typeof moveStates)[number]

export interface MoveMark {
  readonly state: MoveState
  /** The same in both stores. */
  readonly moveId: string
  /** Names the store that is left: the id of its first account. */
  readonly sourceId: string
  /** The run of the command that fills the new store: an older one must write no more. */
  readonly runId: string
  /** Usage records of holds up to this number are all there. */
  readonly recordsThrough: number
  readonly atMs: number
}

/** Null in a store that was never part of a move. */
export async function readMoveMark(sql: Sql): Promise<MoveMark | null> {
  const row = await sql.selectFrom('settings').select('value').where('name', '=', moveSetting).executeTakeFirst()
  return row === undefined ? null : decodeMark(row.value)
}

export async function writeMoveMark(sql: Sql, mark: MoveMark): Promise<void> {
  const value = encodeMark(mark)
  await sql
    .insertInto('settings')
    .values({ name: moveSetting, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/**
 * Why this store must not be used now; null when it may be. Two stores that both took over a deployment would spend the
 * same balances twice.
 */
export function whyNotUsable(mark: MoveMark | null): string | null {
  switch (mark?.state) {
    case 'arriving':
      return (
        'a deployment is being moved into this database, and the move is not complete: run ' +
        '`rialto migrate sqlite-to-postgres` again to its end. Until then the gateway runs on the SQLite file'
      )
    case 'undone':
      return 'the move into this database was undone: the gateway runs on the SQLite file again. A new move needs an empty database'
    case 'left':
      return (
        `this deployment was moved to PostgreSQL on ${new Date(mark.atMs).toISOString()}, and what was booked since is ` +
        'only there: set `store` in rialto.yaml to it. `rialto migrate undo` goes back on purpose'
      )
    default:
      return null
  }
}

/** A list in this order, as the other stored texts are. */
function encodeMark({ state, moveId, sourceId, runId, recordsThrough, atMs }: MoveMark): string {
  return JSON.stringify([state, moveId, sourceId, runId, recordsThrough, atMs])
}

function decodeMark(text: string): MoveMark {
  const [state, moveId, sourceId, runId, recordsThrough, atMs] = listOf(parseJson(text))
  const known = moveStates.find(name => name === state)
  if (known === undefined) throw new RangeError('a stored text is of a newer version')
  return {
    state: known,
    moveId: textOf(moveId),
    sourceId: textOf(sourceId),
    runId: textOf(runId),
    recordsThrough: numberOf(recordsThrough),
    atMs: numberOf(atMs),
  }
}
