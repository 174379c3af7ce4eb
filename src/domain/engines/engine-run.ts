import type { GatewayError } from '../../core/gateway-error.ts'
import type { ServedBy } from '../../core/model.ts'
import type { Attempt } from '../usage/types.ts'
import type { Engine } from './engine.ts'
import type { EngineCall, EngineReply } from './types.ts'

/** A call for whichever node can answer it. */
export interface EngineRequest<Value> {
  /** Nodes that serve the model, with their own names of it. */
  readonly served: readonly ServedBy[]
  /** What replaces the engine's name of the model in messages. */
  readonly publicModel: string
  /** What the operator put into the prompt: no caller may read it, from an engine that quotes it neither. */
  readonly privateTexts: readonly string[]
  readonly callFor: (served: ServedBy) => EngineCall
  /** Calls with one affinity meet the same node while it is well and has room; null for calls that belong nowhere. */
  readonly affinity: string | null
  /**
   * Looks at the beginning of an answer before the call is committed to it. Throwing EngineFault sends the call to the
   * next node; throwing anything else ends it. Nothing of the answer may have reached the caller before it resolves.
   */
  readonly accept: (reply: EngineReply) => Promise<Value>
  /** Called each time right before a node is asked: from then on it may be at work. */
  readonly onSent: (engine: Engine) => void
  readonly signal: AbortSignal
}

/** An accepted answer. Its owner calls `done` when the body has ended, however it did: until then it holds a place. */
export interface EngineRun<Value> {
  readonly value: Value
  readonly node: Engine
  readonly attempts: readonly Attempt[]
  /** `fault`: the node broke off. `answered`: everything else, our own stops included. Only the first call counts. */
  done(outcome: 'answered' | 'fault', measured: { readonly completionTokens: number; readonly ms: number }): void
}

/** No node answered, or the engine refused the request, or the signal aborted. */
export class EnginesFailure extends Error {
  override readonly name = 'EnginesFailure'
  /** What the caller is told. */
  readonly error: GatewayError
  readonly attempts: readonly Attempt[]
  /** An engine may have generated something for it. */
  readonly worked: boolean

  constructor(error: GatewayError, attempts: readonly Attempt[], worked: boolean) {
    super(error.message, { cause: error })
    this.error = error
    this.attempts = attempts
    this.worked = worked
  }
}
