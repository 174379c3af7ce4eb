import { Readable } from 'node:stream'
import type { Client, Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { createFault } from '../../domain/engines/create-fault.ts'
import { createConnector } from './connect-socket.ts'
import { type Answer, Exchange } from './exchange.ts'
import { createNodeConnections } from './node-connections.ts'

/** Idle connections go before the node closes them: the usual servers wait 5 s. */
const idleConnectionMs = 4_000

/** A node that says how long it waits is believed up to here, less a margin for the way. */
const idleConnectionMaxMs = 60_000
const idleConnectionMarginMs = 2_000

const headerBytesMax = 16_384

/** Pieces up to this size are copied into one write; larger bodies are written piece by piece, without a copy. */
const joinBytesMax = 262_144

export interface EngineTransportOptions {
  /** Scheme, host and port. Nothing is ever sent elsewhere: redirects are not followed. */
  readonly origin: string
  readonly connectMs: number
  /** From the request to the head of the answer. */
  readonly firstByteMs: number
  /** Between two pieces of the body. Time in which the reader has paused does not count. */
  readonly idleMs: number
  readonly clock: Clock
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: readonly Buffer[]
  /** Instead of the transport's own. */
  readonly firstByteMs?: number
}

/** The way to one node: HTTP/1.1 over kept-alive connections, one request at a time on each. */
export interface EngineTransport {
  /**
   * Resolves with the head of the answer. Aborting the signal closes the connection, before or after the head.
   * @throws EngineFault
   */
  send(request: TransportRequest, signal: AbortSignal): Promise<Answer>
  /** Closes every connection at once. */
  close(): Promise<void>
}

export function createEngineTransport(options: EngineTransportOptions): EngineTransport {
  const { origin, clock } = options
  const connections = createNodeConnections(origin, clientOptions(options))

  function send(request: TransportRequest, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return Promise.reject(createFault('aborted', { cause: signal.reason }))
    return new Promise((onHead, onFault) => {
      const connection = connections.take()
      const exchange = new Exchange({ connection, connections, clock, signal, onHead, onFault })
      connection.dispatch(dispatchOptions(request, options), exchange)
    })
  }

  return { send, close: () => connections.close() }
}

/** Everything that the library would otherwise decide by itself. */
function clientOptions({ connectMs, firstByteMs, idleMs }: EngineTransportOptions): Client.Options {
  return {
    connect: createConnector(connectMs),
    allowH2: false,
    pipelining: 1,
    headersTimeout: firstByteMs,
    bodyTimeout: idleMs,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMaxMs,
    keepAliveTimeoutThreshold: idleConnectionMarginMs,
    maxHeaderSize: headerBytesMax,
    strictContentLength: true,
  }
}

function dispatchOptions(
  request: TransportRequest,
  { firstByteMs, idleMs }: EngineTransportOptions,
): Dispatcher.DispatchOptions {
  const length = request.body.reduce((sum, piece) => sum + piece.length, 0)
  const streamed = length > joinBytesMax
  return {
    method: request.method,
    path: request.path,
    headers: streamed ? [...request.headers, 'content-length', String(length)] : (request.headers as string[]),
    body: length === 0 ? null : streamed ? Readable.from(request.body) : Buffer.concat(request.body, length),
    headersTimeout: request.firstByteMs ?? firstByteMs,
    bodyTimeout: idleMs,
  }
}
