import type { ArmedFailpoint } from '../../../../lib/failpoint.ts'
import type { PackedError } from '../../groups/operations.ts'
import type { OperationWire, ResultWire } from '../../groups/wire/group-wire.ts'

/**
 * What the main thread and the workers say to each other. One message carries a group of operations, its answer the
 * results in the same order; the next group is sent when the answer is there.
 */
export type WorkerRequest = { readonly group: readonly OperationWire[] } | 'close'

/** From a worker: that it opened its files, the results of a group, that it closed, or that it cannot go on. */
export type WorkerReply =
  | 'ready'
  | { readonly results: readonly ResultWire[] }
  | 'closed'
  | { readonly fatal: PackedError }

export interface WorkerStart {
  readonly path: string
  readonly failpoint: ArmedFailpoint | null
}

export interface LedgerWorkerStart extends WorkerStart {
  readonly lock: boolean
  readonly nowMs: number
}
