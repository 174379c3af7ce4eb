import type { CompletionEvent } from '../../core/completion-event.ts'
import type { ReasoningWish, RequestBody } from '../../core/completion-request.ts'

/** What is asked of one node. The engine makes its own body from it: names, limits and removed keys are the engine's. */
export interface EngineCall {
  readonly requestId: string
  /** The engine's own name of the model. */
  readonly engineModel: string
  readonly stream: boolean
  readonly choices: number
  /** Effective output limit per choice, in tokens. */
  readonly outputLimit: number
  readonly body: RequestBody
  /** Keys of this model that never reach the engine, beside the engine's own list; as `foldName` gives them. */
  readonly deniedKeys: ReadonlySet<string>
  /** Replaces the caller's `prompt_cache_key`; null when the caller gave none. */
  readonly promptCacheKey: string | null
  /** What engines spell differently; null when the body says all of it itself. */
  readonly wishes: EngineWishes | null
}

/** Wishes of a composed request that each kind of engine has its own members for. */
export interface EngineWishes {
  readonly reasoning: ReasoningWish
  readonly cacheRetention: string | null
  /** Stands for the account where the caller gave no `prompt_cache_key`; null where it did. */
  readonly accountCacheKey: string | null
  /** Stands for the caller's end user, or for the account alone; made by the gateway, so that nobody's own name leaves it. */
  readonly endUserId: string
  /** The engine's own names of models that it may take when the asked one refuses. */
  readonly fallbacks: readonly string[]
  /** Whether it shall search X by itself; true only for engines that say how they are told so. */
  readonly searchX: boolean
}

/** Why a node failed before anything of its answer was relayed, or while it answered. */
export type FaultKind =
  | 'connect_refused'
  | 'connect_timeout'
  | 'reset'
  | 'tls'
  | 'dns'
  | 'first_byte_timeout'
  | 'idle_timeout'
  | 'total_timeout'
  | 'bad_answer'
  | 'policy'
  | 'queue_full'
  | 'queue_timeout'
  | 'aborted'

/** A fault of the node, not of the request. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly kind: FaultKind
  /** True when a reused connection died before the engine can have read the request: worth one more try on this node. */
  readonly staleConnection: boolean

  constructor(kind: FaultKind, message: string, options: { staleConnection?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.staleConnection = options.staleConnection ?? false
  }
}

/** Receives an answer's bytes as they come. No promise per chunk: the sink pauses the stream when its own side is slow. */
export interface ByteSink {
  onBytes(chunk: Buffer): void
  /**
   * After the last bytes of one read from the node: what was gathered from them can go out in one write. Every stream
   * calls it where it is given; not after the end.
   */
  onReadEnd?(): void
  onEnd(): void
  onFault(fault: EngineFault): void
}

export interface ByteStream {
  /** Called once; bytes that came before are delivered first. */
  consume(sink: ByteSink): void
  /** Stops reading from the node. Bytes that were read before, and the end, may still come. */
  pause(): void
  /** Goes on reading. What was held back, the end too, may come before this returns. */
  resume(): void
  /** Ends the engine's work at once; the sink hears nothing more. Idempotent. */
  cancel(): void
}

export type EngineReply =
  | {
      readonly kind: 'bytes'
      readonly status: number
      /** Media type without parameters, lower case; empty when the engine sent none. */
      readonly contentType: string
      readonly retryAfterMs: number | null
      readonly body: ByteStream
    }
  | { readonly kind: 'events'; readonly events: AsyncIterable<CompletionEvent> }

/**
 * `failing`: its calls fail, and it is asked all the same, because at most half of the nodes are taken out and a lone one
 * never is, or because its ejection is over and no call has come to a good end yet.
 */
type NodeState = 'healthy' | 'failing' | 'ejected' | 'probing' | 'draining'

/** What an operator sees of a node (operator.md §6 `engines`). */
export interface NodeView {
  readonly id: string
  readonly kind: string
  readonly baseUrl: string
  readonly state: NodeState
  readonly inFlight: number
  readonly queued: number
  readonly lastError: string | null
}
