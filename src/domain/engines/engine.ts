import type { EngineCall, EngineReply } from './types.ts'

/** Port: one node that answers completions. Implementations live in adapters/engines. */
export interface Engine {
  readonly id: string
  readonly kind: string
  /** For operators; without credentials. */
  readonly baseUrl: string
  readonly maxConcurrency: number
  /** What happens to the engine's work when the caller leaves: stop it, or let it finish and bill the real usage. */
  readonly onDisconnect: 'cancel' | 'drain'
  readonly firstByteMs: number
  /** Longest total duration in milliseconds, for whole answers and for streams. */
  readonly totalMs: number
  readonly streamTotalMs: number
  /** Its faults are made for callers who ask for them: they fail the call as any, and say nothing about the node. */
  readonly stagesFaults?: boolean
  /**
   * Sends the call and resolves with the reply's head; the body is not read yet.
   * @throws EngineFault when no head came. Aborting the signal cancels the engine's work, before or after the head.
   */
  open(call: EngineCall, signal: AbortSignal): Promise<EngineReply>
  /** Resolves when the node answers a cheap health question. @throws EngineFault */
  probe(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
