import type { Failpoint } from '../../../../lib/failpoint.ts'
import { armedFailpoint, failpoint } from '../../../../lib/failpoint.ts'
import { packError } from '../packed-error.ts'
import type { Operation, OperationResult } from '../protocol.ts'
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

type Moment = 'before' | 'inside' | 'after'

/** Where a test may kill the process around the commit of a group that holds such an operation. */
const failpoints: Readonly<Record<string, Partial<Record<Moment, Failpoint>>>> = {
  admit: { inside: 'reserve.before_commit', after: 'reserve.after_commit_before_ack' },
  settle: {
    before: 'settle.before_tx',
    inside: 'settle.before_commit',
    after: 'settle.after_commit_before_ack',
  },
  mark: { after: 'mark.written' },
  claim: { before: 'idem.before_claim', after: 'idem.after_claim' },
  complete: { before: 'idem.before_complete', after: 'idem.after_complete' },
}

function reach(moment: Moment, group: readonly Operation[]): void {
  if (armedFailpoint() === null) return
  const names = new Set(group.map(operation => (operation.kind === 'call' ? operation.call.method : operation.kind)))
  for (const name of names) {
    const point = failpoints[name]?.[moment]
    if (point !== undefined) failpoint(point)
  }
}
