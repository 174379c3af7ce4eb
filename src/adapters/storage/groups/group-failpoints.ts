import { armedFailpoint, type Failpoint, failpoint } from '../../../lib/failpoint.ts'
import type { Operation } from './operations.ts'

/** Around the commit of a group: before anything of it happened, when all of it did but the commit, and after that. */
type Moment = 'before' | 'inside' | 'after'

const failpoints: Readonly<Record<string, Partial<Record<Moment, Failpoint>>>> = {
  admit: { inside: 'reserve.before_commit', after: 'reserve.after_commit_before_ack' },
  settle: {
    before: 'settle.before_tx',
    inside: 'settle.before_commit',
    after: 'settle.after_commit_before_ack',
  },
  lower: { inside: 'lower.before_commit', after: 'lower.after_commit_before_ack' },
  mark: { after: 'mark.written' },
  claim: { before: 'idem.before_claim', after: 'idem.after_claim' },
  complete: { before: 'idem.before_complete', after: 'idem.after_complete' },
}

/** Where a test may kill the process around the commit of a group that holds such an operation. */
export function reach(moment: Moment, group: readonly Operation[]): void {
  if (armedFailpoint() === null) return
  const names = new Set(group.map(operation => (operation.kind === 'call' ? operation.call.method : operation.kind)))
  for (const name of names) {
    const point = failpoints[name]?.[moment]
    if (point !== undefined) failpoint(point)
  }
}
