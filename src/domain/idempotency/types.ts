import type { AccountId, HoldId } from '../../core/ids.ts'

/** The first answer under a key, as it is replayed (reliability.md §6.5). */
export interface ReplayableAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

export type IdempotencyClaim =
  | { readonly state: 'new' }
  | { readonly state: 'running' }
  | { readonly state: 'reused' }
  | { readonly state: 'done'; readonly requestId: string; readonly answer: ReplayableAnswer | null }
  | { readonly state: 'full' }

export interface IdempotencyKey {
  readonly accountId: AccountId
  readonly route: string
  readonly key: string
}

/** A key and the run that claimed it, named by its hold: only that one may end it. */
export interface ClaimedKey extends IdempotencyKey {
  readonly holdId: HoldId
}

export interface IdempotencyStart extends ClaimedKey {
  /** SHA-256 of the body. */
  readonly fingerprint: Buffer
  readonly requestId: string
  readonly processId: string
  readonly nowMs: number
  readonly keysMax: number
}
