import { type MoveMark, whyNotUsable } from '../sql/move-mark.ts'
import type { TargetState } from './open-target.ts'

export interface MoveSituation {
  readonly sourceId: string
  /** Of the source; null unless it was left. */
  readonly left: MoveMark | null
  readonly target: TargetState
}

const emptyOne = 'Give the address of an empty database'

/**
 * Lets a move begin or go on. One that stopped after the source was left goes on, too: nothing changes in it any more.
 * @throws Error that says why nothing can be moved here, and what to do.
 */
export function judgeMove({ sourceId, left, target }: MoveSituation): void {
  const { mark, isEmpty } = target
  if (left !== null) judgeLeft(left, mark)
  else if (mark !== null) judgeMark(mark, sourceId)
  else if (!isEmpty)
    throw new Error(`the PostgreSQL database holds accounts or records of its own. ${emptyOne}: two cannot be merged`)
}

function judgeMark(mark: MoveMark, sourceId: string): void {
  if (mark.sourceId !== sourceId)
    throw new Error(`the PostgreSQL database belongs to the move of another SQLite store. ${emptyOne}`)
  if (mark.state === 'undone') throw new Error(`a move into this PostgreSQL database was undone. ${emptyOne}`)
  if (mark.state === 'complete')
    throw new Error(
      'this deployment is in the PostgreSQL database already, and the SQLite file is not the one that was left but a copy ' +
        'of it: use the database',
    )
}

function judgeLeft(left: MoveMark, mark: MoveMark | null): void {
  if (mark?.moveId !== left.moveId) throw new Error(`this is not where the deployment went: ${whyNotUsable(left)}`)
  if (mark.state === 'undone') throw new Error('undoing the move was interrupted: run `rialto migrate undo` again')
  if (mark.state === 'complete') throw new Error(`there is nothing left to do: ${whyNotUsable(left)}`)
}
