import { expect, test } from 'vitest'
import type { FoundEngine, FoundModel } from '../core/found-engine.ts'
import { Secret } from '../lib/secret.ts'
import { withFoundEngines } from './default-config.ts'
import { loadConfig } from './load-config.ts'

const created = 1_767_225_600
const source = {
  fileName: 'rialto.yaml',
  lookup: () => undefined,
  folder: '/etc/rialto',
  dataFolder: '/data',
  adminToken: null,
  createdSeconds: created,
}
const plainModel: FoundModel = {
  id: 'qwen',
  name: '/models/qwen.gguf',
  contextTokens: null,
  maxOutputTokens: null,
  functionCalling: false,
  responseSchema: false,
  reasoning: false,
  vision: false,
  logProbs: false,
}
const engine = (id: string, ...models: Partial<FoundModel>[]): FoundEngine => ({
  id,
  kind: 'openai',
  preset: 'vllm',
  baseUrl: `http://127.0.0.1/${id}/v1`,
  apiKey: null,
  models: models.map(model => ({ ...plainModel, ...model })),
})
const complete = (found: readonly FoundEngine[], text = '') =>
  withFoundEngines(loadConfig(text, source), found, created)

test('without any engine there is the test mode, free, and it says that it is no language model', () => {
  const config = complete([])
  expect(config.engines).toMatchObject([{ kind: 'embedded', id: 'embedded' }])
  expect(config.models).toMatchObject([
    {
      id: 'rialto/sandbox',
      free: true,
      tier: 'XS',
      description: expect.stringContaining('not a language model'),
      served: [{ engineId: 'embedded', engineModel: 'sandbox', weight: 1 }],
      prices: { inputNanoPerMillion: 0n, outputNanoPerMillion: 0n },
      capabilities: { functionCalling: true, responseSchema: true, reasoning: true, logProbs: true },
    },
  ])
})

test('a found engine sells its models at the default price, never at 0', () => {
  const config = complete([engine('vllm', { id: 'Qwen/Qwen3-27B', contextTokens: 32_768, vision: true })])
  expect(config.engines).toMatchObject([
    { kind: 'openai', id: 'vllm', preset: 'vllm', baseUrl: 'http://127.0.0.1/vllm/v1', apiKey: null },
  ])
  expect(config.models).toMatchObject([
    {
      id: 'Qwen/Qwen3-27B',
      contextTokens: 32_768,
      maxOutputTokens: 2_048,
      free: false,
      created,
      prices: { inputNanoPerMillion: 250_000_000n, outputNanoPerMillion: 1_000_000_000n },
      capabilities: { vision: true, functionCalling: false },
    },
  ])
})

test('the default price is the one of the file', () => {
  const config = complete([engine('vllm', {})], 'pricing: { default: { inputUsdPerMTok: 3, outputUsdPerMTok: 4 } }')
  expect(config.models[0]?.prices).toMatchObject({
    inputNanoPerMillion: 3_000_000_000n,
    outputNanoPerMillion: 4_000_000_000n,
  })
})

test.each([
  [null, null, 8_192, 2_048],
  [131_072, 4_096, 131_072, 4_096],
  [131_072, null, 131_072, 2_048],
  [2_048, null, 2_048, 1_024],
  [512, 4_096, 512, 256],
  [1, null, 1, 1],
])('context %s and output %s of an engine become %d and %d', (context, output, contextTokens, maxOutputTokens) => {
  const config = complete([engine('vllm', { contextTokens: context, maxOutputTokens: output })])
  expect(config.models[0]).toMatchObject({ contextTokens, maxOutputTokens })
})

test('a model that two engines have is one model with failover, as large as the smaller of them', () => {
  const config = complete([
    engine('vllm', { contextTokens: 8_000, functionCalling: true, vision: true }),
    engine('sglang', { contextTokens: 4_000, functionCalling: true }, { id: 'other' }),
  ])
  expect(config.models.map(({ id }) => id)).toEqual(['qwen', 'other'])
  expect(config.models[0]).toMatchObject({
    served: [{ engineId: 'vllm' }, { engineId: 'sglang' }],
    contextTokens: 4_000,
    capabilities: { functionCalling: true, vision: false },
  })
})

test('a model with an impossible id is left out, and so is an engine that has no other', () => {
  const bad = ['a b', '', 'x'.repeat(201), 'qwen:online', 'a\u0000'].map(id => ({ id }))
  const config = complete([engine('vllm', ...bad), engine('ollama', ...bad, { id: 'good' })])
  expect(config.models.map(({ id }) => id)).toEqual(['good'])
  expect(config.engines.map(({ id }) => id)).toEqual(['ollama'])
  expect(complete([engine('vllm', ...bad)]).models[0]?.id).toBe('rialto/sandbox')
})

test('an id that an engine lists twice is served once', () => {
  expect(complete([engine('vllm', {}, {})]).models.map(({ served }) => served.length)).toEqual([1])
})

test('a preset that nobody knows is the general one, and the key of an engine goes with it', () => {
  const found = { ...engine('environment', {}), preset: 'something', apiKey: new Secret('sk-1') }
  const [openAi] = complete([found]).engines
  expect(openAi).toMatchObject({ preset: 'generic' })
  expect(openAi?.kind === 'openai' && openAi.apiKey?.reveal()).toBe('sk-1')
})

test('Claude speaks its own language, and its models are of its family', () => {
  const config = complete([{ ...engine('anthropic', {}), kind: 'anthropic', apiKey: new Secret('sk-2') }])
  expect(config.engines).toMatchObject([{ kind: 'anthropic', baseUrl: 'http://127.0.0.1/anthropic/v1' }])
  expect(config.models).toMatchObject([{ family: 'claude' }])
})

test("callers see a model's id, the engine gets its own name", () => {
  expect(complete([engine('vllm', {})]).models).toMatchObject([
    { id: 'qwen', served: [{ engineId: 'vllm', engineModel: '/models/qwen.gguf' }] },
  ])
})

test("OpenAI's own server gets the newer name of the output limit", () => {
  const fields = ['openai', 'vllm'].map(preset => complete([{ ...engine('environment', {}), preset }]).engines[0])
  expect(fields).toMatchObject([{ maxTokensField: 'max_completion_tokens' }, { maxTokensField: 'max_tokens' }])
})

test('the rest of the configuration stays', () => {
  const text = 'server: { port: 1 }\nlimits: { overdraftUsd: 0 }\n'
  const { engines, models, ...rest } = loadConfig(text, source)
  expect([engines, models]).toEqual([[], []])
  expect(complete([], text)).toMatchObject(rest)
})
