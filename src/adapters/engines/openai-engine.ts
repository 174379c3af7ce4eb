import type { Engine } from '../../domain/engines/engine.ts'
import { foldName } from '../../lib/fold-name.ts'
import type { JsonObject } from '../../lib/json.ts'
import { encodeEngineBody, type MaxTokensField } from './engine-body.ts'
import { type EnginePreset, presetDeniedKeys, presetsOfOneChoice } from './engine-presets.ts'
import { createFanOutEngine } from './fan-out/fan-out-engine.ts'
import { createHttpEngine, type HttpEngineOptions } from './http-engine.ts'

export interface OpenAiEngineOptions extends HttpEngineOptions {
  readonly preset: EnginePreset
  readonly maxTokensField: MaxTokensField
  /** Of the operator, beside the preset's. */
  readonly deniedKeys: readonly string[]
  /** Members of a body by which it is told to search X; none where it cannot. */
  readonly xSearch: JsonObject
}

/** A server with an OpenAI-compatible API. Its address goes up to and including `/v1`. @throws TypeError as createHttpEngine */
export function createOpenAiEngine(options: OpenAiEngineOptions): Engine {
  const { preset, maxTokensField, xSearch } = options
  const deniedKeys = new Set([...presetDeniedKeys[preset], ...options.deniedKeys].map(foldName))
  const rules = { preset, maxTokensField, deniedKeys, xSearch }
  const engine = createHttpEngine(options, {
    kind: 'openai',
    headers: [],
    keyHeader: key => ['authorization', `Bearer ${key}`],
    encode: call => ({ path: '/chat/completions', body: encodeEngineBody(call, rules) }),
    decode: answer => ({ kind: 'bytes', ...answer }),
  })
  return presetsOfOneChoice.has(preset) ? createFanOutEngine(engine) : engine
}
