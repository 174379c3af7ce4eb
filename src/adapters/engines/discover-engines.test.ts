import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { parseJson } from '../../lib/json.ts'
import { Secret } from '../../lib/secret.ts'
import { discoverEngines, type LocalPreset } from './discover-engines.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: Answer): Promise<number> {
  const server = createServer((request, response) => void answer(request, response))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Answers each path with its JSON, and 404 otherwise. */
const serveJson = (answers: Readonly<Record<string, unknown>>): Promise<number> =>
  serve((request, response) => {
    const answer = answers[request.url ?? '']
    response.statusCode = answer === undefined ? 404 : 200
    response.end(JSON.stringify(answer ?? { error: 'not found' }))
  })

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const port = await serve(() => undefined)
  servers.pop()?.close()
  return port
}

const events: unknown[] = []
const note = (event: string, fields?: unknown) => void events.push([event, fields])
const logger = { debug: note, info: note, warn: note, error: note }

/** Patient by default, because this machine may be busy with other tests. */
async function discover(ports: Partial<Record<LocalPreset, number>>, timeoutMs = 2_000) {
  const closed = await closedPort()
  const all = { ollama: closed, vllm: closed, llamacpp: closed, lmstudio: closed, sglang: closed, ...ports }
  return discoverEngines({ environment: { openAi: null, anthropic: null }, logger, ports: all, timeoutMs })
}

const vllmAnswers = {
  '/version': { version: '0.11.0' },
  '/v1/models': {
    object: 'list',
    data: [
      {
        id: 'Qwen/Qwen3-27B',
        object: 'model',
        owned_by: 'vllm',
        root: 'Qwen/Qwen3-27B',
        parent: null,
        max_model_len: 32_768,
      },
      {
        id: 'my-adapter',
        object: 'model',
        owned_by: 'vllm',
        root: '/lora',
        parent: 'Qwen/Qwen3-27B',
        max_model_len: null,
      },
    ],
  },
}
const llamacppAnswers = {
  '/props': {
    default_generation_settings: { n_ctx: 4_096, params: { n_predict: -1 } },
    total_slots: 4,
    chat_template: '{% if tools %}…{% endif %}',
    modalities: { vision: true, audio: false },
  },
  '/v1/models': {
    object: 'list',
    data: [{ id: '/home/op/models/qwen3-4b.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 40_960 } }],
  },
}

test('nobody there is nothing found', async () => {
  expect(await discover({})).toEqual([])
})

test('vLLM is recognised, with the context of its model and of adapters on it', async () => {
  const port = await serveJson(vllmAnswers)
  expect(await discover({ vllm: port })).toMatchObject([
    {
      id: 'vllm',
      preset: 'vllm',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: null,
      models: [
        { id: 'Qwen/Qwen3-27B', name: 'Qwen/Qwen3-27B', contextTokens: 32_768, maxOutputTokens: null, logProbs: true },
        { id: 'my-adapter', contextTokens: 32_768 },
      ],
    },
  ])
  expect(events.at(-1)).toEqual(['engine.found', { node: 'vllm', preset: 'vllm', models: 2 }])
})

test('Ollama is recognised, with what it shows about each model that chats', async () => {
  const shown: Readonly<Record<string, unknown>> = {
    'llama3.2:latest': {
      model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 },
      parameters: 'stop                           "<|eot_id|>"\nnum_predict                    512',
      capabilities: ['completion', 'tools', 'vision', 'thinking'],
    },
    'small:1b': {
      model_info: { 'qwen3.context_length': 40_960 },
      parameters: 'num_ctx 4096\nnum_predict -1',
      capabilities: ['completion'],
    },
    'embed:latest': { model_info: { 'bert.context_length': 512 }, capabilities: ['embedding'] },
  }
  const port = await serve(async (request, response) => {
    if (request.url === '/api/tags') {
      response.end(
        JSON.stringify({
          models: ['llama3.2:latest', 'small:1b', 'embed:latest', 'silent:1b'].map(name => ({
            name,
            model: name,
            digest: 'abc',
          })),
        }),
      )
    } else if (request.url === '/api/show' && request.method === 'POST') {
      const { model } = parseJson(await text(request)) as { model: string }
      if (model !== 'silent:1b') response.end(JSON.stringify(shown[model]))
    } else response.writeHead(404).end()
  })
  expect(await discover({ ollama: port })).toMatchObject([
    {
      id: 'ollama',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      models: [
        {
          id: 'llama3.2:latest',
          contextTokens: 131_072,
          maxOutputTokens: 512,
          functionCalling: true,
          vision: true,
          reasoning: true,
        },
        { id: 'small:1b', contextTokens: 4_096, maxOutputTokens: null, functionCalling: false },
        { id: 'silent:1b', contextTokens: null, maxOutputTokens: null },
      ],
    },
  ])
})

test('llama.cpp is recognised, and the path of its file stays out of what callers see', async () => {
  const found = await discover({ llamacpp: await serveJson(llamacppAnswers) })
  expect(found).toMatchObject([
    {
      id: 'llamacpp',
      models: [
        {
          id: 'qwen3-4b',
          name: '/home/op/models/qwen3-4b.gguf',
          contextTokens: 4_096,
          maxOutputTokens: null,
          functionCalling: true,
          vision: true,
        },
      ],
    },
  ])
})

test('LM Studio is recognised by its own list, and older releases by the owner in the common one', async () => {
  const port = await serveJson({
    '/api/v0/models': {
      object: 'list',
      data: [
        {
          id: 'qwen3-4b',
          type: 'llm',
          state: 'loaded',
          max_context_length: 40_960,
          loaded_context_length: 4_096,
          capabilities: ['tool_use'],
        },
        { id: 'gemma-vision', type: 'vlm', state: 'not-loaded', max_context_length: 8_192 },
        { id: 'embedder', type: 'embeddings', max_context_length: 512 },
      ],
    },
  })
  expect(await discover({ lmstudio: port })).toMatchObject([
    {
      id: 'lmstudio',
      models: [
        { id: 'qwen3-4b', contextTokens: 4_096, functionCalling: true, vision: false },
        { id: 'gemma-vision', contextTokens: 8_192, vision: true },
      ],
    },
  ])
  const older = await serveJson({
    '/v1/models': { data: [{ id: 'old', object: 'model', owned_by: 'organization_owner' }] },
  })
  expect(await discover({ lmstudio: older })).toMatchObject([{ models: [{ id: 'old', contextTokens: null }] }])
})

test('SGLang is recognised, unless it runs a model that does not generate', async () => {
  const answers = (is_generation: boolean) => ({
    '/get_model_info': { model_path: 'Qwen/Qwen3-27B', tokenizer_path: 'Qwen/Qwen3-27B', is_generation },
    '/v1/models': {
      data: [{ id: 'Qwen/Qwen3-27B', owned_by: 'sglang', root: 'Qwen/Qwen3-27B', max_model_len: 65_536 }],
    },
  })
  expect(await discover({ sglang: await serveJson(answers(true)) })).toMatchObject([
    { id: 'sglang', models: [{ id: 'Qwen/Qwen3-27B', contextTokens: 65_536 }] },
  ])
  expect(await discover({ sglang: await serveJson(answers(false)) })).toEqual([])
})

test('several engines are found together, always in the same order', async () => {
  const found = await discover({ llamacpp: await serveJson(llamacppAnswers), vllm: await serveJson(vllmAnswers) })
  expect(found.map(({ id }) => id)).toEqual(['vllm', 'llamacpp'])
})

test('a program on the usual port of another one is not taken for it', async () => {
  const vllm = await serveJson(vllmAnswers)
  const llamacpp = await serveJson(llamacppAnswers)
  expect(await discover({ vllm: llamacpp, llamacpp: vllm, ollama: vllm, lmstudio: vllm, sglang: vllm })).toEqual([])
})

test.each<readonly [string, Answer]>([
  ['never answers', () => undefined],
  ['answers a web page', (_, response) => void response.end('<html>hello</html>')],
  [
    'answers 500',
    (_, response) => void response.writeHead(500).end('{"version":"1","data":[{"id":"x","max_model_len":1}]}'),
  ],
  [
    'sends elsewhere',
    (request, response) => void response.writeHead(302, { location: `http://${request.headers.host}/version` }).end(),
  ],
  ['sends an answer without an end', (_, response) => void drip(response)],
  [
    'sends more than 1 MiB',
    (_, response) => void response.end(`{"version":"1","data":[{"id":"${'x'.repeat(2 << 20)}","max_model_len":1}]}`),
  ],
  ['nests deeply', (_, response) => void response.end('['.repeat(100_000))],
  ['hangs up', request => void request.socket.destroy()],
  ['answers null', (_, response) => void response.end('null')],
  ['lists nothing', (_, response) => void response.end('{"version":"1","data":[],"models":[]}')],
  ['lists nonsense', (_, response) => void response.end('{"version":1,"data":[1,null,{"id":5}],"models":"x"}')],
])('a server that %s is no engine, and finding out takes a moment', async (_, answer) => {
  const port = await serve(answer)
  const started = performance.now()
  expect(await discover({ ollama: port, vllm: port, llamacpp: port, lmstudio: port, sglang: port }, 300)).toEqual([])
  expect(performance.now() - started).toBeLessThan(5_000)
})

function drip(response: ServerResponse): void {
  response.write('{"version":"')
  const timer = setInterval(() => response.write('x'), 20)
  response.on('close', () => clearInterval(timer))
}

test('figures that make no sense count as not stated', async () => {
  const data = [0, -1, 1.5, 1e12, '4096', null].map((max_model_len, at) => ({ id: `m${at}`, max_model_len }))
  const port = await serveJson({
    '/version': { version: '1' },
    '/v1/models': { data: [...data, { id: 'good', max_model_len: 4_096 }] },
  })
  const [engine] = await discover({ vllm: port })
  expect(engine?.models.map(({ contextTokens }) => contextTokens)).toEqual([null, null, null, null, null, null, 4_096])
})

const askEnvironment = (baseUrl: string, apiKey: string | null) => {
  const openAi = { baseUrl, apiKey: apiKey === null ? null : new Secret(apiKey) }
  return discoverEngines({ environment: { openAi, anthropic: null }, logger })
}
const askAnthropic = (baseUrl: string) =>
  discoverEngines({ environment: { openAi: null, anthropic: { baseUrl, apiKey: new Secret('sk-planted') } }, logger })

test('Claude is asked for its models with the key of the environment', async () => {
  const asked: unknown[] = []
  const port = await serve((request, response) => {
    asked.push([request.url, request.headers['x-api-key'], request.headers['anthropic-version']])
    const rows = [
      { id: 'claude-opus-4-8', max_input_tokens: 1_000_000, max_tokens: 128_000 },
      { id: 'claude-3-5-haiku' },
    ]
    response.end(JSON.stringify({ data: [...rows, 'odd'] }))
  })
  const baseUrl = `http://127.0.0.1:${port}/v1`
  expect(await askAnthropic(baseUrl)).toMatchObject([
    {
      id: 'anthropic',
      kind: 'anthropic',
      baseUrl,
      models: [
        { id: 'claude-opus-4-8', contextTokens: 1_000_000, maxOutputTokens: 128_000, reasoning: true, vision: true },
        { id: 'claude-3-5-haiku', contextTokens: 200_000, reasoning: false, responseSchema: false },
      ],
    },
  ])
  expect(asked).toEqual([['/v1/models?limit=500', 'sk-planted', '2023-06-01']])
})

test('a key for Claude that lists no models is an error for the operator, without the key', async () => {
  const port = await serve((_, response) => void response.writeHead(401).end('{}'))
  const asking = askAnthropic(`http://127.0.0.1:${port}/v1`)
  await expect(asking).rejects.toThrow(/ANTHROPIC_API_KEY .* lists no models/)
  await expect(asking).rejects.not.toThrow(/planted/)
})

test('the engine of the environment is asked with its key, and comes before those of this machine', async () => {
  const asked: (string | undefined)[] = []
  const port = await serve((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`)
    response.end(JSON.stringify({ data: [{ id: 'a', owned_by: 'vllm', max_model_len: 100 }, { id: 'b' }] }))
  })
  const found = await askEnvironment(`http://127.0.0.1:${port}/api/v1`, 'sk-1')
  expect(asked).toEqual(['/api/v1/models Bearer sk-1'])
  expect(found).toMatchObject([
    {
      id: 'environment',
      preset: 'vllm',
      baseUrl: `http://127.0.0.1:${port}/api/v1`,
      models: [
        { id: 'a', contextTokens: 100 },
        { id: 'b', contextTokens: null },
      ],
    },
  ])
  expect(found[0]?.apiKey?.reveal()).toBe('sk-1')
})

test('an engine of the environment without a key is asked without one', async () => {
  const port = await serve((request, response) => {
    response.end(JSON.stringify({ data: [{ id: String(request.headers.authorization) }] }))
  })
  expect(await askEnvironment(`http://127.0.0.1:${port}`, null)).toMatchObject([
    { preset: 'generic', models: [{ id: 'undefined' }] },
  ])
})

test('an engine of the environment that lists no models is an error for the operator, without the key', async () => {
  const port = await serve((_, response) => void response.writeHead(401).end('{}'))
  const asking = askEnvironment(`http://127.0.0.1:${port}/v1`, 'sk-planted')
  await expect(asking).rejects.toThrow(/OPENAI_BASE_URL .* lists no models/)
  await expect(asking).rejects.not.toThrow(/planted/)
})

test('a real start with nothing configured asks the usual ports and comes back soon', async () => {
  const started = performance.now()
  expect(Array.isArray(await discoverEngines({ environment: { openAi: null, anthropic: null }, logger }))).toBe(true)
  expect(performance.now() - started).toBeLessThan(5_000)
})
