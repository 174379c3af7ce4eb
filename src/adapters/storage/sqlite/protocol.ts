import type { AdmissionDecision, AdmissionRequest } from '../../../domain/admission/types.ts'
import type { IdempotencyStore } from '../../../domain/idempotency/idempotency-store.ts'
import type { IdentityStore } from '../../../domain/identity/identity-store.ts'
import type { ProgressMark, SettlementResult, Transfer } from '../../../domain/ledger/types.ts'
import type { UsageStore } from '../../../domain/usage/usage-store.ts'
import type { ArmedFailpoint } from '../../../lib/failpoint.ts'
import type { LedgerBooks } from '../sql/stores/ledger-books.ts'
import type { OperationWire, ResultWire } from './wire/group-wire.ts'
import type { PostedTransfer } from './writer/post-transfer.ts'
import type { Abandoned, AbandonedReport } from './writer/resolve-abandoned.ts'
import type { PackedSettlement } from './writer/settle.ts'

/**
 * What the main thread and the workers say to each other. One message carries a group of operations, its answer the
 * results in the same order; the next group is sent when the answer is there.
 */
export type Operation =
  | { readonly kind: 'admit'; readonly request: AdmissionRequest }
  | { readonly kind: 'settle'; readonly settlement: PackedSettlement }
  | { readonly kind: 'mark'; readonly mark: ProgressMark }
  | { readonly kind: 'post'; readonly transfer: Transfer }
  | { readonly kind: 'resolve'; readonly abandoned: Abandoned; readonly atMs: number; readonly limit: number }
  | { readonly kind: 'call'; readonly call: StoreCall }
  /** Nothing but a write transaction, to see whether there can be one. */
  | { readonly kind: 'probe' }

/** A method of one of the stores that are written in portable SQL, with its arguments. */
export interface StoreCall {
  readonly store: keyof SqlStores
  readonly method: string
  readonly parameters: readonly unknown[]
}

export interface SqlStores {
  readonly identity: IdentityStore
  readonly usage: UsageStore
  readonly idempotency: IdempotencyStore
  readonly books: LedgerBooks
}

/** What an operation of each kind answers. */
export interface OperationValues {
  readonly admit: AdmissionDecision
  readonly settle: SettlementResult
  readonly mark: undefined
  readonly post: PostedTransfer
  readonly resolve: AbandonedReport
  readonly call: unknown
  readonly probe: undefined
}

export type OperationResult = { readonly value: unknown } | { readonly error: PackedError }

/** An error on its way between threads: its class by name, and its text. */
export interface PackedError {
  readonly name: 'StoreUnavailable' | 'StoreConflict' | 'RangeError' | 'Error'
  readonly message: string
}

/** To a worker: a group of operations, or the request to finish and close its files. */
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
