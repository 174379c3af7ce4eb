import type { EngineFault } from '../../domain/engines/types.ts'
import type { StreamWriter } from './stream-writer.ts'

/**
 * How the engine's part of a stream ended. `finished`: every choice said why it ended. `over_limit`: the meter stopped
 * the engine. `usageChunk` is the engine's own last chunk with usage and no choices; where usage came beside choices it
 * is `usageReport`, the bare object.
 */
export type StreamEnd =
  | { readonly kind: 'finished'; readonly usageChunk: Buffer | null; readonly usageReport: Buffer | null }
  | { readonly kind: 'over_limit' }
  | { readonly kind: 'fault'; readonly fault: EngineFault }

/** A stream whose first chunk has come and is sound. Nothing of it has been written yet. */
export interface OpenedStream {
  /** The engine's own id of the completion, for the record. */
  readonly engineCompletionId: string | null
  /** Writes what came and what comes, until the engine's part ends. `onRead` is called after each read. */
  relay(writer: StreamWriter, options: RelayOptions): Promise<StreamEnd>
}

export interface RelayOptions {
  readonly onRead: () => void
  /** Calls its argument whenever a slow caller can take more. */
  readonly onDrain: (listener: () => void) => void
  /** Aborts when the request is over for another reason: the caller left, a deadline passed, the gateway drains. */
  readonly signal: AbortSignal
}
