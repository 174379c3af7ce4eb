import type { Timers } from '../../../core/timers.ts'
import type { Engine } from '../../../domain/engines/engine.ts'
import { foldName } from '../../../lib/fold-name.ts'
import { createFanOutEngine } from '../fan-out/fan-out-engine.ts'
import { createHttpEngine, type EncodedCall, type HttpEngineOptions } from '../http-engine.ts'
import { decodeAnswer } from './decode-answer.ts'
import { decodeError } from './decode-error.ts'
import { encodeRequest } from './encode-request.ts'

export const apiVersion = '2023-06-01'

/** Lets another model answer what the asked one refuses; only sent with such models. */
const fallbackBeta = 'server-side-fallback-2026-06-01'

export interface AnthropicEngineOptions extends HttpEngineOptions {
  /** Of the operator. */
  readonly deniedKeys: readonly string[]
  readonly timers: Timers
}

/** Anthropic's Messages API. Its address goes up to and including `/v1`. @throws TypeError as createHttpEngine */
export function createAnthropicEngine(options: AnthropicEngineOptions): Engine {
  const { clock, timers } = options
  const deniedKeys = new Set(options.deniedKeys.map(foldName))
  const engine = createHttpEngine(options, {
    kind: 'anthropic',
    headers: ['anthropic-version', apiVersion],
    keyHeader: key => ['x-api-key', key],
    encode(call): EncodedCall {
      const body = encodeRequest(call, deniedKeys)
      const headers = body['fallbacks'] === undefined ? [] : ['anthropic-beta', fallbackBeta]
      return { path: '/messages', body: [Buffer.from(JSON.stringify(body))], headers }
    },
    decode: answer =>
      answer.status === 200
        ? { kind: 'events', events: decodeAnswer(answer, Math.floor(clock.now() / 1_000)) }
        : decodeError(answer, timers),
  })
  return createFanOutEngine(engine)
}
