export type JsonObject = Record<string, unknown>

/** How the exchange of one request came to its end, seen from the engine. */
export type ExchangeEnding =
  /** The behaviour was played to its end; the socket stays usable, unless one side asked for `Connection: close`. */
  | 'complete'
  /** The behaviour ended the connection on purpose: with FIN, or with RST. */
  | 'closed'
  | 'reset'
  /** The peer left first; `closedByPeerAt` says when. */
  | 'peer-closed'
  /** `MockEngine.close()` or `dropSockets()` cut it. */
  | 'engine-stopped'

/**
 * The record of one request that reached the engine. It is live: fields fill in while the exchange runs.
 * All times are `performance.now()` of the process that runs the engine, in milliseconds.
 */
export interface EngineRequest {
  /** Counts from 0 over the life of the engine. */
  readonly index: number
  readonly socketId: number
  /** True when an earlier request came over the same socket. */
  readonly reusedSocket: boolean
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  /** Lower-case names; repeated fields are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** As they came: order, spelling and repetitions kept. */
  readonly rawHeaders: readonly (readonly [string, string])[]
  readonly receivedAt: number
  /** The body without its transfer coding. Empty until `bodyComplete`. */
  rawBody: Buffer
  /** `rawBody` as a JSON object; undefined when it is none. */
  body: JsonObject | undefined
  bodyComplete: boolean
  /** Bytes which the kernel took, heads and chunk frames included. */
  bytesWritten: number
  /** Content events (SSE) which the kernel took; the role, finish and usage events do not count. */
  chunksWritten: number
  /** Tokens which the engine has spent work on, delivered or not: what a meter may bill at most. */
  tokensGenerated: number
  closedByPeerAt?: number
  endedAt?: number
  ending?: ExchangeEnding
}

/** One TCP connection which the engine accepted. */
export interface EngineSocket {
  readonly id: number
  readonly openedAt: number
  requests: number
  closedAt?: number
  closedBy?: 'peer' | 'engine'
}

export function asksForStream(request: EngineRequest): boolean {
  return request.body?.['stream'] === true
}

export function asksForUsage(request: EngineRequest): boolean {
  const options = request.body?.['stream_options']
  return typeof options === 'object' && options !== null && (options as JsonObject)['include_usage'] === true
}
