import { failpoint } from '../../../../lib/failpoint.ts'
import { reach } from '../../groups/group-failpoints.ts'
import type { Operation, OperationResult } from '../../groups/operations.ts'
import { packError } from '../pack-error.ts'
import { faultOf } from '../sqlite-fault.ts'
import { type Performer, perform } from './perform.ts'

/**
 * Runs a group of operations in one transaction and answers after its commit (group commit: one fsync for all). When the
 * group cannot be written as a whole, its halves are tried, so that a bad operation fails alone. A store that cannot be
 * written now refuses everything: nothing of the rest has happened.
 * @throws for a fault after which nothing that the storage says may be believed.
 */
export async function runGroup(performer: Performer, group: readonly Operation[]): Promise<OperationResult[]> {
  try {
    return await commitGroup(performer, group)
  } catch (error) {
    performer.unit.rollback()
    const fault = faultOf(error)
    if (fault === 'fatal') throw error
    if (fault === 'unavailable' || group.length <= 1) return group.map(() => ({ error: packError(error) }))
    const middle = group.length >> 1
    const first = await runGroup(performer, group.slice(0, middle))
    return [...first, ...(await runGroup(performer, group.slice(middle)))]
  }
}

async function commitGroup(performer: Performer, group: readonly Operation[]): Promise<OperationResult[]> {
  reach('before', group)
  performer.unit.begin()
  const results: OperationResult[] = []
  for (const operation of group) {
    const result = perform(performer, operation)
    results.push(result instanceof Promise ? await result : result)
  }
  failpoint('group.flush_start')
  performer.unit.flush()
  reach('inside', group)
  performer.unit.commit()
  reach('after', group)
  failpoint('group.flush_end')
  return results
}
