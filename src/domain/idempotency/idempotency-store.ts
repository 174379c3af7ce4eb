import type { ClaimedKey, IdempotencyClaim, IdempotencyStart, ReplayableAnswer } from './types.ts'

/** Port: who owns a key, and what was answered under it. Answers are stored encrypted. */
export interface IdempotencyStore {
  /** Claims the key atomically, or says what stands under it. */
  claim(start: IdempotencyStart): Promise<IdempotencyClaim>
  /** Stores the answer (null: charged, but too large or never finished, so that it cannot be replayed). */
  complete(key: ClaimedKey, answer: ReplayableAnswer | null, expiresAtMs: number): Promise<void>
  /** Frees a key whose request charged nothing. */
  free(key: ClaimedKey): Promise<void>
  /**
   * After holds were recovered: keys that no living process is going to end become free when their hold was released, else
   * done without a replay.
   */
  recover(processId: string, expiresAtMs: number): Promise<void>
  /** The same for the keys of one process, which is known to be gone while others run on. */
  recoverFrom(processId: string, expiresAtMs: number): Promise<void>
  prune(beforeMs: number, limit: number): Promise<number>
}
