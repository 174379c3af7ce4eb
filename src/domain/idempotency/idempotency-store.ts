import type { IdempotencyClaim, IdempotencyKey, IdempotencyStart, ReplayableAnswer } from './types.ts'

/** Port: who owns a key, and what was answered under it. Answers are stored encrypted. */
export interface IdempotencyStore {
  /** Claims the key atomically, or says what stands under it. */
  claim(start: IdempotencyStart): Promise<IdempotencyClaim>
  /** Stores the answer (null: charged, but too large or never finished, so that it cannot be replayed). */
  complete(key: IdempotencyKey, answer: ReplayableAnswer | null, expiresAtMs: number): Promise<void>
  /** Frees a key whose request charged nothing. */
  free(key: IdempotencyKey): Promise<void>
  /** After a crash: keys of other processes become free when their hold was released, else done without a replay. */
  recover(processId: string, expiresAtMs: number): Promise<void>
  prune(beforeMs: number, limit: number): Promise<number>
}
