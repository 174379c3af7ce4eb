import type { AdmissionStore } from '../../domain/admission/admission-store.ts'
import type { IdempotencyStore } from '../../domain/idempotency/idempotency-store.ts'
import type { IdentityStore } from '../../domain/identity/identity-store.ts'
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts'
import type { FailureStore } from '../../domain/limits/failure-store.ts'
import type { RefusalStore } from '../../domain/limits/refusal-store.ts'
import type { SharedDocuments, WatchDocuments } from '../../domain/replicas/shared-documents.ts'
import type { UsageStore } from '../../domain/usage/usage-store.ts'

/** Everything that is stored, behind the ports of the domain modules. */
export interface Storage {
  readonly identity: IdentityStore
  readonly ledger: LedgerStore
  readonly admission: AdmissionStore
  readonly usage: UsageStore
  readonly idempotency: IdempotencyStore
  readonly documents: SharedDocuments
  readonly refusals: RefusalStore
  readonly failures: FailureStore
  readonly watchDocuments: WatchDocuments
  /** True when other gateways may use it, too: then what dead ones left open is recovered while this one runs. */
  readonly isShared: boolean
  /** Resolves when a write could be committed now; rejects with `StoreUnavailable` otherwise. */
  health(): Promise<void>
  /** Finishes what was accepted, within a bound, and gives the files back. Calls after it reject. */
  close(): Promise<void>
}

/** Who opens: the gateway is the only one of its kind on a store; commands work beside it or without it. */
export type StorageMode = 'gateway' | 'command'
