import type { ServedBy } from '../../src/core/model.ts'
import { createFault } from '../../src/domain/engines/create-fault.ts'
import type { Engine } from '../../src/domain/engines/engine.ts'
import type { EngineRequest } from '../../src/domain/engines/engine-run.ts'
import type { ByteSink, ByteStream, EngineCall, EngineReply } from '../../src/domain/engines/types.ts'

export type BytesReply = Extract<EngineReply, { kind: 'bytes' }>
export type Script = (call: EngineCall, signal: AbortSignal) => Promise<EngineReply>

/** An engine without a network: each call plays the next script, then the last one again and again. */
export class ScriptedEngine implements Engine {
  readonly kind = 'scripted'
  readonly baseUrl: string
  readonly onDisconnect = 'cancel'
  readonly firstByteMs = 60_000
  readonly totalMs = 540_000
  readonly streamTotalMs = 1_800_000
  readonly id: string
  readonly maxConcurrency: number
  readonly calls: EngineCall[] = []
  probes = 0
  closed = false
  probeScript: (signal: AbortSignal) => Promise<void> = async () => undefined
  #scripts: Script[]

  constructor(id: string, options: { scripts?: Script[]; maxConcurrency?: number } = {}) {
    this.id = id
    this.baseUrl = `http://${id}.invalid/v1`
    this.maxConcurrency = options.maxConcurrency ?? 8
    this.#scripts = options.scripts ?? [ok()]
  }

  play(...scripts: Script[]): void {
    this.#scripts = scripts
  }

  open(call: EngineCall, signal: AbortSignal): Promise<EngineReply> {
    this.calls.push(call)
    const script = this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0]
    return script === undefined ? Promise.reject(new Error('no script')) : script(call, signal)
  }

  probe(signal: AbortSignal): Promise<void> {
    this.probes += 1
    return this.probeScript(signal)
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

/** A body that is complete, and remembers whether it was cancelled. */
export class FixedBody implements ByteStream {
  cancelled = false
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  consume(sink: ByteSink): void {
    if (this.#text !== '') sink.onBytes(Buffer.from(this.#text))
    sink.onEnd()
  }
  pause(): void {
    // It has all been said.
  }
  resume(): void {
    // It has all been said.
  }
  cancel(): void {
    this.cancelled = true
  }
}

export function reply(status: number, text = '', retryAfterMs: number | null = null): BytesReply {
  return { kind: 'bytes', status, contentType: 'application/json', retryAfterMs, body: new FixedBody(text) }
}

export function ok(text = '{}'): Script {
  return async () => reply(200, text)
}

export function says(status: number, text = '', retryAfterMs: number | null = null): Script {
  return async () => reply(status, text, retryAfterMs)
}

export function fails(...fault: Parameters<typeof createFault>): Script {
  return async () => {
    throw createFault(...fault)
  }
}

/** Never answers; ends only with its signal. */
export function hangs(): Script {
  return (_call, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(createFault('aborted')), { once: true })
    })
}

export function servedBy(...ids: string[]): ServedBy[] {
  return ids.map(engineId => ({ engineId, engineModel: `model-of-${engineId}`, weight: 1 }))
}

/** A request that accepts every answer. */
export function requestFor(
  served: readonly ServedBy[],
  options: Partial<EngineRequest<EngineReply>> = {},
): EngineRequest<EngineReply> {
  return {
    served,
    publicModel: 'public/model',
    privateTexts: [],
    affinity: null,
    callFor: ({ engineModel }) => ({
      requestId: 'req_1',
      engineModel,
      stream: false,
      choices: 1,
      outputLimit: 16,
      body: { bytes: Buffer.from('{}'), members: [], removedKeys: new Set(), promptCacheKey: null },
      deniedKeys: new Set(),
      promptCacheKey: null,
      wishes: null,
    }),
    accept: async answer => answer,
    onSent: () => undefined,
    signal: new AbortController().signal,
    ...options,
  }
}
