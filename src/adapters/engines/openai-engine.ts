import type { Clock } from '../../core/clock.ts'
import { createFault } from '../../domain/engines/create-fault.ts'
import type { Engine } from '../../domain/engines/engine.ts'
import type { ByteStream, EngineCall, EngineReply } from '../../domain/engines/types.ts'
import { foldName } from '../../lib/fold-name.ts'
import type { Secret } from '../../lib/secret.ts'
import { createEngineTransport } from '../http/engine-transport.ts'
import { encodeEngineBody, type MaxTokensField } from './engine-body.ts'
import { type EnginePreset, presetDeniedKeys } from './engine-presets.ts'

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

export interface OpenAiEngineOptions {
  readonly id: string
  /** Up to and including `/v1`; http or https. */
  readonly baseUrl: string
  /** Sent to this address and nowhere else; null sends none. */
  readonly apiKey: Secret | null
  readonly preset: EnginePreset
  readonly maxTokensField: MaxTokensField
  /** Of the operator, beside the preset's. */
  readonly deniedKeys: readonly string[]
  readonly maxConcurrency: number
  readonly onDisconnect: 'cancel' | 'drain'
  readonly timeouts: EngineTimeouts
  /** Name and version of this gateway. */
  readonly userAgent: string
  readonly clock: Clock
}

/**
 * A server with an OpenAI-compatible API. Its headers are made here from scratch; nothing of the caller's arrives except
 * the body.
 * @throws TypeError when the address is not one of http or https, or carries credentials, or the key cannot be sent
 */
export function createOpenAiEngine(options: OpenAiEngineOptions): Engine {
  const { id, preset, maxConcurrency, onDisconnect, timeouts, clock } = options
  const { totalMs, streamTotalMs, ...waits } = timeouts
  const address = parseBaseUrl(options.baseUrl)
  const transport = createEngineTransport({ origin: address.origin, clock, ...waits })
  const rules = {
    maxTokensField: options.maxTokensField,
    deniedKeys: new Set([...presetDeniedKeys[preset], ...options.deniedKeys].map(foldName)),
  }
  const common = commonHeaders(options)
  const jsonHeaders = ['content-type', 'application/json', 'accept', 'application/json', ...common]
  const streamHeaders = ['content-type', 'application/json', 'accept', 'text/event-stream', ...common]
  const path = address.path('/chat/completions')

  async function open(call: EngineCall, signal: AbortSignal): Promise<EngineReply> {
    const headers = [...(call.stream ? streamHeaders : jsonHeaders), 'x-request-id', call.requestId]
    const request = { method: 'POST', path, headers, body: encodeEngineBody(call, rules) } as const
    const answer = await transport.send({ ...request, firstByteMs: firstByteMsOf(call, timeouts) }, signal)
    return { kind: 'bytes', ...answer }
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
    kind: 'openai',
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

function commonHeaders({ apiKey, userAgent }: OpenAiEngineOptions): string[] {
  const key = apiKey?.reveal() ?? null
  if (key !== null && !headerText.test(key)) throw new TypeError('the key of the engine holds what no header can carry')
  const authorization = key === null ? [] : ['authorization', `Bearer ${key}`]
  return ['accept-encoding', 'identity', 'user-agent', userAgent, ...authorization]
}

interface Address {
  readonly origin: string
  readonly shown: string
  path(suffix: string): string
}

function parseBaseUrl(baseUrl: string): Address {
  const url = new URL(baseUrl)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isHttp || url.username !== '' || url.password !== '')
    throw new TypeError('not an http address without credentials')
  const base = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, shown: `${url.origin}${base}`, path: suffix => `${base}${suffix}${url.search}` }
}
