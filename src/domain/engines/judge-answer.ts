import type { EngineFault, FaultKind } from './types.ts'

/**
 * What an engine's status means for the call (venym.md §4).
 *
 * - `answer`: worth reading.
 * - `rejected`: the request is at fault. The caller gets the engine's status; no other node is asked.
 * - `overloaded`: this node has no room now. Next node; the node is not ill.
 * - `misconfigured`: our key, or the model's name on this node, is wrong. Next node, and somebody has to be told.
 * - `broken`: next node.
 */
export type Verdict = 'answer' | 'rejected' | 'overloaded' | 'misconfigured' | 'broken'

const configurationStatuses: ReadonlySet<number> = new Set([401, 403, 404])

export function judgeStatus(status: number): Verdict {
  if (status === 200) return 'answer'
  if (status === 429) return 'overloaded'
  if (configurationStatuses.has(status)) return 'misconfigured'
  return status >= 400 && status < 500 ? 'rejected' : 'broken'
}

/** Not the node's: the caller's, our own queue's, our own deadline's. */
const othersFaults: ReadonlySet<FaultKind> = new Set([
  'aborted',
  'policy',
  'queue_full',
  'queue_timeout',
  'total_timeout',
])

export function isNodeFault({ kind }: EngineFault): boolean {
  return !othersFaults.has(kind)
}

const neverSentKinds: ReadonlySet<FaultKind> = new Set(['connect_refused', 'connect_timeout', 'tls', 'dns'])

/** Whether the node was not even connected, so that it cannot have worked on the request. */
export function isNeverSent({ kind }: EngineFault): boolean {
  return neverSentKinds.has(kind)
}

/** Whether the node could not be reached, or went away: asking another one gives no living node more work than its share. */
export function isUnreachable(fault: EngineFault): boolean {
  return fault.kind === 'reset' || isNeverSent(fault)
}
