import { describe, expect, it } from 'vitest'
import type { FoundEngine } from '../core/found-engine.ts'
import { Secret } from '../lib/secret.ts'
import { withFoundEngines } from './default-config.ts'
import { loadConfig } from './load-config.ts'
import { withGgufEngine } from './with-gguf-engine.ts'

const source = {
  fileName: 'rialto.yaml',
  lookup: () => undefined,
  folder: '/srv',
  dataFolder: '/srv/data',
  adminToken: null,
  createdSeconds: 1,
}

function gguf(name: string): FoundEngine {
  const model = {
    id: name,
    name,
    contextTokens: 4_096,
    maxOutputTokens: null,
    functionCalling: false,
    responseSchema: true,
    reasoning: false,
    vision: false,
    logProbs: false,
  }
  const baseUrl = 'http://127.0.0.1:9/v1'
  return { id: 'gguf', kind: 'openai', preset: 'generic', baseUrl, apiKey: new Secret('k'), models: [model] }
}

const fileText = (engineId: string, modelId: string) =>
  JSON.stringify({
    engines: [{ id: engineId, baseUrl: 'http://127.0.0.1:8000/v1' }],
    models: [{ id: modelId, served: [{ engine: engineId, model: 'm' }] }],
    pricing: { default: { inputUsdPerMTok: 0.5, outputUsdPerMTok: 2 } },
  })

describe('a model from a GGUF file', () => {
  it('is sold before those of the file, at the default price and within half of its context', () => {
    const config = withGgufEngine(loadConfig(fileText('gpu', 'a/b'), source), gguf('tiny'), 7)
    expect(config.engines.map(({ id }) => id)).toEqual(['gguf', 'gpu'])
    expect(config.models.map(({ id }) => id)).toEqual(['tiny', 'a/b'])
    expect(config.models[0]).toMatchObject({
      contextTokens: 4_096,
      maxOutputTokens: 2_048,
      created: 7,
      free: false,
      prices: { inputNanoPerMillion: 500_000_000n, outputNanoPerMillion: 2_000_000_000n },
      served: [{ engineId: 'gguf', engineModel: 'tiny' }],
    })
  })

  it('is given the time that a processor needs, and few calls at once', () => {
    const [engine] = withGgufEngine(loadConfig('', source), gguf('tiny'), 7).engines
    expect(engine).toMatchObject({ maxConcurrency: 4, timeouts: { firstByteMs: 300_000 } })
  })

  it('stands beside the test mode where nothing else was found', () => {
    const config = withGgufEngine(withFoundEngines(loadConfig('', source), [], 1), gguf('tiny'), 7)
    expect(config.models.map(({ id }) => id)).toEqual(['tiny', 'rialto/sandbox'])
  })

  it.each([
    ['gguf', 'a/b', 'The configuration has an engine "gguf"'],
    ['gpu', 'tiny', 'The configuration has a model "tiny" already'],
  ])('takes no name that is taken: engine %s, model %s', (engineId, modelId, message) => {
    expect(() => withGgufEngine(loadConfig(fileText(engineId, modelId), source), gguf('tiny'), 7)).toThrow(message)
  })

  it('needs a file name that can be the id of a model', () => {
    expect(() => withGgufEngine(loadConfig('', source), gguf('a b\n'), 7)).toThrow('rename the file')
  })
})
