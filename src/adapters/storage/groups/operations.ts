import type { HoldId } from '../../../core/ids.ts'
import type { Usage } from '../../../core/usage.ts'
import type { AdmissionDecision, AdmissionRequest } from '../../../domain/admission/types.ts'
import type {
  LoweredHold,
  ProgressMark,
  RecoveryReport,
  Settlement,
  SettlementResult,
  Transfer,
} from '../../../domain/ledger/types.ts'
import type { Outcome } from '../../../domain/usage/types.ts'
import type { StoreCall } from '../sql/sql-stores.ts'

/** What a store is asked for: gathered in groups, each of which is one transaction (group commit, performance.md §2.5). */
export type Operation =
  | { readonly kind: 'admit'; readonly request: AdmissionRequest }
  | { readonly kind: 'settle'; readonly settlement: PackedSettlement }
  | { readonly kind: 'mark'; readonly mark: ProgressMark }
  | { readonly kind: 'lower'; readonly hold: LoweredHold }
  | { readonly kind: 'post'; readonly transfer: Transfer }
  | { readonly kind: 'resolve'; readonly abandoned: Abandoned; readonly atMs: number; readonly limit: number }
  | { readonly kind: 'call'; readonly call: StoreCall }
  /** Nothing but a write transaction, to see whether there can be one. */
  | { readonly kind: 'probe' }

/** What an operation of each kind answers. */
export interface OperationValues {
  readonly admit: AdmissionDecision
  readonly settle: SettlementResult
  readonly mark: undefined
  readonly lower: undefined
  readonly post: PostedTransfer
  readonly resolve: AbandonedReport
  readonly call: unknown
  readonly probe: undefined
}

export type OperationResult = { readonly value: unknown } | { readonly error: PackedError }

/** An error on its way between threads or processes: its class by name, and its text. */
export interface PackedError {
  readonly name: 'StoreUnavailable' | 'StoreConflict' | 'RangeError' | 'Error'
  readonly message: string
}

/** A settlement on its way to the writer: the record's searchable part, and the rest as the text that is stored. */
export interface PackedSettlement extends Omit<Settlement, 'record'> {
  readonly record: RecordFacts
}

/** The part of a usage record that has columns of its own, and the rest as text. */
export interface RecordFacts {
  readonly generationId: string
  readonly model: string
  readonly outcome: Outcome
  /** What the text says too: sums are kept of it, and it is searched for. */
  readonly status: number
  readonly usage: Usage
  readonly costDelivered: boolean
  readonly createdAtMs: number
  readonly details: string
}

export interface PostedTransfer {
  readonly transferId: string
  readonly repeated: boolean
}

/**
 * Which open holds nobody is going to settle: those of all others, those of one that died, those that were found to be so,
 * or those that are overdue.
 */
export type Abandoned =
  | { readonly kind: 'foreign'; readonly processId: string }
  | { readonly kind: 'process'; readonly processId: string }
  | { readonly kind: 'listed'; readonly holdIds: readonly HoldId[] }
  | { readonly kind: 'overdue'; readonly deadlineBeforeMs: number }

export interface AbandonedReport extends RecoveryReport {
  /** True when the limit was reached, so that there may be more of them. */
  readonly more: boolean
}
