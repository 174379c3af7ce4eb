import type { Clock } from '../../core/clock.ts'
import { createFault } from '../../domain/engines/create-fault.ts'
import type { Engine } from '../../domain/engines/engine.ts'
import type { ByteStream, EngineCall, EngineReply } from '../../domain/engines/types.ts'
import type { Secret } from '../../lib/secret.ts'
import { createEngineTransport } from '../http/engine-transport.ts'
import type { Answer } from '../http/exchange.ts'
import { parseEngineAddress } from './engine-address.ts'
import { refusedReply } from './error-reply.ts'
import { RequestRefused } from './request-refused.ts'

/** A health question is cheap: a node that takes longer for it is not well. */
const probeFirstByteMs = 5_000

/** Of the list of models, so much is read, so that the connection can be used again. */
const probeBytesMax = 1_048_576

/** What a header carries without being cut or escaped. */
const headerText = /^[\x21-\x7e]+$/

/** A node that generates slower than this is not worth waiting for when another one serves the model. */
const slowTokensPerSecond = 20

interface EngineTimeouts {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly streamTotalMs: number
}

export interface HttpEngineOptions {
  readonly id: string
  /** Up to the version; http or https. */
  readonly baseUrl: string
  /** Sent to this address and nowhere else; null sends none. */
  readonly apiKey: Secret | null
  readonly maxConcurrency: number
  readonly onDisconnect: 'cancel' | 'drain'
  readonly timeouts: EngineTimeouts
  /** Name and version of this gateway. */
  readonly userAgent: string
  readonly clock: Clock
}

export interface EncodedCall {
  /** Below the address; begins with a slash. */
  readonly path: string
  readonly body: readonly Buffer[]
  /** Names and values in turn, beside those that every call has. */
  readonly headers?: readonly string[]
}

/** The language that a family of engines speaks over HTTP. */
export interface EngineProtocol {
  readonly kind: string
  /** Names and values in turn, on every request. */
  readonly headers: readonly string[]
  /** The header that carries the key. */
  keyHeader(key: string): readonly [name: string, value: string]
  /** @throws RequestRefused for a call that this family cannot answer */
  encode(call: EngineCall): EncodedCall
  decode(answer: Answer, call: EngineCall): EngineReply | Promise<EngineReply>
}

/**
 * An engine behind HTTP. Headers are made here from scratch; nothing of the caller's arrives except the body.
 * @throws TypeError when the address is not one of http or https, or carries credentials, or the key cannot be sent
 */
export function createHttpEngine(options: HttpEngineOptions, protocol: EngineProtocol): Engine {
  const { id, maxConcurrency, onDisconnect, timeouts, clock } = options
  const { totalMs, streamTotalMs, ...waits } = timeouts
  const address = parseEngineAddress(options.baseUrl)
  const transport = createEngineTransport({ origin: address.origin, clock, ...waits })
  const common = commonHeaders(options, protocol)
  const jsonHeaders = ['content-type', 'application/json', 'accept', 'application/json', ...common]
  const streamHeaders = ['content-type', 'application/json', 'accept', 'text/event-stream', ...common]

  async function open(call: EngineCall, signal: AbortSignal): Promise<EngineReply> {
    const encoded = encodeOrRefuse(call, protocol)
    if (encoded instanceof RequestRefused) return refusedReply(encoded)
    const base = call.stream ? streamHeaders : jsonHeaders
    const headers = [...base, ...(encoded.headers ?? []), 'x-request-id', call.requestId]
    const request = { method: 'POST', path: address.path(encoded.path), headers, body: encoded.body } as const
    const answer = await transport.send({ ...request, firstByteMs: firstByteMsOf(call, timeouts) }, signal)
    return protocol.decode(answer, call)
  }

  async function probe(signal: AbortSignal): Promise<void> {
    const firstByteMs = Math.min(probeFirstByteMs, timeouts.firstByteMs)
    const headers = ['accept', 'application/json', ...common]
    const request = { method: 'GET', path: address.path('/models'), headers, body: [], firstByteMs } as const
    const { status, body } = await transport.send(request, signal)
    await discard(body)
    // A server without a list of models is alive; one that refuses our key will refuse our calls.
    if (status >= 500 || status === 401 || status === 403) {
      throw createFault('bad_answer', { message: `the node answered a health question with ${status}` })
    }
  }

  return {
    id,
    kind: protocol.kind,
    baseUrl: address.shown,
    maxConcurrency,
    onDisconnect,
    firstByteMs: timeouts.firstByteMs,
    totalMs,
    streamTotalMs,
    open,
    probe,
    close: () => transport.close(),
  }
}

function encodeOrRefuse(call: EngineCall, protocol: EngineProtocol): EncodedCall | RequestRefused {
  try {
    return protocol.encode(call)
  } catch (error) {
    if (error instanceof RequestRefused) return error
    throw error
  }
}

/** Reads a body for its end only. @throws EngineFault */
function discard(body: ByteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    body.consume({
      onBytes: chunk => {
        bytes += chunk.length
        if (bytes <= probeBytesMax) return
        body.cancel()
        resolve()
      },
      onEnd: resolve,
      onFault: reject,
    })
  })
}

/**
 * A stream begins with its first token. A whole answer begins when its last token is there: its wait grows with the
 * output that was asked for, or a long answer would be taken for a dead node and be generated, and paid, twice.
 */
function firstByteMsOf(call: EngineCall, { firstByteMs, totalMs }: EngineTimeouts): number {
  if (call.stream) return firstByteMs
  return Math.min(firstByteMs + (call.outputLimit * 1_000) / slowTokensPerSecond, Math.max(totalMs, firstByteMs))
}

function commonHeaders({ apiKey, userAgent }: HttpEngineOptions, protocol: EngineProtocol): string[] {
  const key = apiKey?.reveal() ?? null
  if (key !== null && !headerText.test(key)) throw new TypeError('the key of the engine holds what no header can carry')
  const keyHeader = key === null ? [] : protocol.keyHeader(key)
  return ['accept-encoding', 'identity', 'user-agent', userAgent, ...protocol.headers, ...keyHeader]
}
