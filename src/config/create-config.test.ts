import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from '../lib/secret.ts'
import { loadConfig } from './load-config.ts'

const source = {
  fileName: 'rialto.yaml',
  lookup: () => undefined,
  folder: '/etc/rialto',
  dataFolder: '/var/rialto',
  adminToken: null,
  createdSeconds: 1_767_225_600,
}
const load = (text: string) => loadConfig(text, source)

/** operator.md §3 word for word, with the two elisions of its payments section completed. */
const contractExample = `
server:  { host: 127.0.0.1, port: 8402, publicUrl: http://127.0.0.1:8402, trustProxy: [], signInDomains: [] }
store:   sqlite:data/rialto.db            # or postgres://user:pw@host:5432/rialto; default: rialto.db in the data folder
keys:    { prefix: vk- }
startingCreditUsd: 5                      # for the first account only
ownedBy: rialto
accounts: { selfService: false }          # generate_web3_key and wallet accounts (always strict)
engines:
  - id: gpu-a
    kind: openai                          # openai | anthropic | google | embedded
    preset: vllm                          # names engine quirks and the keys that never reach it
    baseUrl: http://127.0.0.1:8000/v1
    apiKey: \${GPU_A_KEY:-none}
    maxTokensField: max_tokens
    maxConcurrency: 64
    fetchesUrls: false                    # true: user URLs may be passed through to this engine
    onDisconnect: cancel                  # cancel | drain
    timeouts: { connectMs: 2000, firstByteMs: 60000, idleMs: 60000, totalMs: 540000, streamTotalMs: 1800000 }
models:
  - id: venym/qwen-27b
    name: Qwen 27B
    description: A general model.
    served: [{ engine: gpu-a, model: Qwen/Qwen3-27B, weight: 1 }]     # several = failover
    family: qwen                          # openai | openai-reasoning | claude | gemini | grok | … : which restrictions apply
    type: text                            # text | embedding
    traits: [default]
    compatibility: [gpt-4o-mini]
    tier: M                               # rate-limit tier
    contextTokens: 131072
    maxOutputTokens: 16384
    apiCap: true                          # Venice surface: above the cap = 400 (false: clamped)
    maxChoices: 8
    maxImages: 10
    constraints: { temperature: { default: 0.7 }, top_p: { default: 0.8 } }
    pricing: { inputUsdPerMTok: 0.25, outputUsdPerMTok: 1.00, cacheReadUsdPerMTok: 0.05, cacheWriteUsdPerMTok: 0.30 }
    free: false                           # a price of 0 needs true
    capabilities: { functionCalling: true, responseSchema: true, reasoning: true, reasoningEffort: true, vision: false, multipleImages: false, audioInput: false, videoInput: false, logProbs: false, webSearch: true, xSearch: false, e2ee: false, teeAttestation: false, optimizedForCode: false, quantization: fp8 }
    reasoning: { efforts: [low, medium, high], default: medium, canDisable: true }
    cacheRetention: [default]             # which retentions the engine honours
    privacy: private                      # private | anonymized | tee | e2ee
    proOnly: false
    regions: { deny: [] }
    deprecation: null                     # { date, successor, autoRemap }
    media: { check: true }
    forward: { deny: [] }
prompts: { house: "" }                    # the operator's own system prompt for the Venice surface
characters: { dir: characters/ }          # YAML files; the admin API adds more
search:  { provider: searxng, fallback: [embedded], baseUrl: http://127.0.0.1:8888, apiKey: "", priceUsd: 0.01, timeoutMs: 8000 }
scrape:  { priceUsdPerPage: 0.01, maxPages: 5 }
fetch:   { allowHosts: [] }               # host:port list: the only way a user-supplied URL reaches a private address
documents: { maxChildren: 2, memoryMiB: 512, cpuSeconds: 10, wallSeconds: 15 }
limits:
  overdraftUsd: 0.50
  concurrencyPerAccount: 50
  freeFailuresPerHour: 20
  errorBudget: { failed: 50, unsupported: 200, windowSeconds: 30 }
  tiers: { XS: { rpm: 500, tpm: 1000000 }, S: { rpm: 75, tpm: 750000 }, M: { rpm: 50, tpm: 750000 }, L: { rpm: 20, tpm: 500000 } }
billing: { billPartial: none }            # none | delivered
payments:
  x402:
    enabled: false
    payTo: "0x1111111111111111111111111111111111111111"
    networks: [{ id: eip155:8453, rpcUrl: https://rpc.example, asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", assetName: USD Coin, assetVersion: "2", decimals: 6 }]
    facilitator: { mode: local, walletKeyFile: data/wallet.key, urls: [], confirmations: 1, maxGasGwei: 5 }
    payPerCall: true
    topUp: { minUsd: 5, maxUsd: 10000, suggestedUsd: 10 }
    walletFloorUsd: 0.10
    walletConcurrency: 5
cache:   { shared: false, searchSeconds: 300, pageSeconds: 600 }
retention: { usageDays: 400, idempotencyHours: 24 }
metrics: { listen: "" }                   # host:port; empty: /metrics on the main port, operator token needed
admin:   { token: \${RIALTO_ADMIN_TOKEN:-} }   # empty: the token made at first start
pricing: { default: { inputUsdPerMTok: 0.25, outputUsdPerMTok: 1.00 } }
`

test('every key of the contract is accepted', () => {
  const config = load(contractExample)
  expect(config.admin.token).toBeNull()
  expect(config.engines).toEqual([
    {
      kind: 'openai',
      id: 'gpu-a',
      preset: 'vllm',
      baseUrl: 'http://127.0.0.1:8000/v1',
      apiKey: null,
      maxTokensField: 'max_tokens',
      maxConcurrency: 64,
      fetchesUrls: false,
      xSearch: {},
      onDisconnect: 'cancel',
      timeouts: { connectMs: 2_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 540_000, streamTotalMs: 1_800_000 },
      deniedKeys: [],
    },
  ])
  expect(config.models[0]).toMatchObject({
    id: 'venym/qwen-27b',
    compatibility: ['gpt-4o-mini'],
    created: 1_767_225_600,
    ownedBy: 'rialto',
    served: [{ engineId: 'gpu-a', engineModel: 'Qwen/Qwen3-27B', weight: 1 }],
  })
  expect(config.models[0]?.prices).toEqual({
    version: expect.stringMatching(/^[0-9a-f]{12}$/),
    inputNanoPerMillion: 250_000_000n,
    outputNanoPerMillion: 1_000_000_000n,
    cacheReadNanoPerMillion: 50_000_000n,
    cacheWriteNanoPerMillion: 300_000_000n,
    searchNano: 10_000_000n,
    pageNano: 10_000_000n,
  })
})

test('the values of the contract are the defaults, where a key has one', () => {
  const { engines, models, search, payments, store, ...stated } = load(contractExample)
  expect(load('')).toMatchObject(stated)
  expect([engines, models].map(list => list.length)).toEqual([1, 1])
  expect(search).toEqual(load('search: {}').search)
  expect(load('').payments.x402.topUp).toEqual(payments.x402.topUp)
  expect(store).toEqual({ kind: 'sqlite', path: '/etc/rialto/data/rialto.db' })
})

test('relative paths start from the folder of the file, the default store from the data folder', () => {
  expect(load('').store).toEqual({ kind: 'sqlite', path: '/var/rialto/rialto.db' })
  expect(load('store: sqlite:money.db').store).toEqual({ kind: 'sqlite', path: '/etc/rialto/money.db' })
  expect(load('store: sqlite:/money.db').store).toEqual({ kind: 'sqlite', path: '/money.db' })
  expect(load('characters: { dir: ../people }').characters.dir).toBe('/etc/people')
  expect(load('').payments.x402.facilitator.walletKeyFile).toBe('/etc/rialto/data/wallet.key')
})

test('the address that callers use follows from host and port, unless it is given', () => {
  expect(load('server: { port: 1 }').server.publicUrl).toBe('http://127.0.0.1:1')
  expect(load('server: { host: 0.0.0.0 }').server.publicUrl).toBe('http://127.0.0.1:8402')
  expect(load('server: { host: "fd00::1" }').server.publicUrl).toBe('http://[fd00::1]:8402')
  expect(load('server: { publicUrl: "https://api.example" }').server.publicUrl).toBe('https://api.example')
})

test("the operator's token is the file's, else the environment's", () => {
  const withToken = { ...source, adminToken: new Secret('from-environment') }
  expect(loadConfig('', withToken).admin.token?.reveal()).toBe('from-environment')
  expect(loadConfig('admin: { token: from-file }', withToken).admin.token?.reveal()).toBe('from-file')
})

test('a model without prices costs the default, a free one nothing, and a cache price left out is the input price', () => {
  const config = load(`pricing: { default: { inputUsdPerMTok: 2 } }
search: { priceUsd: 0.5 }
engines: [{ id: e, kind: embedded }]
models:
  - { id: standard, served: [{ engine: e, model: x }] }
  - { id: free, free: true, served: [{ engine: e, model: x }] }
  - { id: cached, pricing: { inputUsdPerMTok: 3, outputUsdPerMTok: 4, cacheReadUsdPerMTok: 1 }, served: [{ engine: e, model: x }] }
`)
  const usd = 1_000_000_000n
  expect(config.models.map(({ prices }) => prices)).toMatchObject([
    {
      inputNanoPerMillion: 2n * usd,
      outputNanoPerMillion: usd,
      cacheReadNanoPerMillion: 2n * usd,
      searchNano: usd / 2n,
      pageNano: usd / 100n,
    },
    { inputNanoPerMillion: 0n, outputNanoPerMillion: 0n, cacheReadNanoPerMillion: 0n, cacheWriteNanoPerMillion: 0n },
    {
      inputNanoPerMillion: 3n * usd,
      outputNanoPerMillion: 4n * usd,
      cacheReadNanoPerMillion: usd,
      cacheWriteNanoPerMillion: 3n * usd,
    },
  ])
})

test('no limit is the largest number for those that only compare, and zero stays zero', () => {
  const config = load(`limits: { freeFailuresPerHour: unlimited, concurrencyPerAccount: 0 }
engines: [{ id: a, kind: embedded, maxConcurrency: unlimited }, { id: b, kind: embedded, maxConcurrency: 0 }]
`)
  expect(config.limits).toMatchObject({ freeFailuresPerHour: Number.MAX_SAFE_INTEGER, concurrencyPerAccount: 0 })
  expect(config.engines.map(engine => engine.maxConcurrency)).toEqual([Number.MAX_SAFE_INTEGER, 0])
})

test('metrics.listen is taken apart, and empty means the main port', () => {
  expect(load('metrics: { listen: "127.0.0.1:9090" }').metrics.listen).toEqual({ host: '127.0.0.1', port: 9090 })
  expect(load('').metrics.listen).toBeNull()
})

test('searches ask providers in the order of the file, each with its own key and address', () => {
  const { order, providers } = load(`search:
  provider: brave
  apiKey: key-of-brave
  fallback: [searxng, brave, embedded]
  baseUrl: http://searx:8080/
  providers: { serper: { apiKey: key-of-serper, baseUrl: "http://proxy/serper/" } }
`).search
  const keyed = (entry: (typeof providers)[number]) =>
    entry.name === 'embedded' ? entry : { ...entry, apiKey: entry.apiKey?.reveal() ?? null }
  expect(order.map(keyed)).toEqual([
    { name: 'brave', baseUrl: null, apiKey: 'key-of-brave' },
    { name: 'searxng', baseUrl: 'http://searx:8080', apiKey: null },
    { name: 'embedded' },
  ])
  expect(providers.slice(order.length).map(keyed)).toEqual([
    { name: 'serper', baseUrl: 'http://proxy/serper', apiKey: 'key-of-serper' },
  ])
})

test('a provider in the order that wants a key must have one', () => {
  const missing = (text: string) => () => load(`search: { ${text} }`)
  expect(missing('provider: tavily')).toThrow(/search\.providers\.tavily\.apiKey is missing/)
  expect(missing('fallback: [exa]')).toThrow(/search\.providers\.exa\.apiKey is missing/)
  // The key at the top is the first provider's alone.
  expect(missing('provider: brave, apiKey: k, fallback: [exa]')).toThrow(/exa\.apiKey is missing/)
  expect(load('search: { provider: brave, apiKey: k }').search.order).toHaveLength(2)
})

test('no secret of a configuration is printed with it', () => {
  const config = load(`store: postgres://user:planted-a@h:5432/rialto
engines: [{ id: a, baseUrl: "http://h/v1/", apiKey: planted-b }]
search: { apiKey: planted-c }
admin: { token: planted-d }
`)
  expect(config.engines[0]).toMatchObject({ baseUrl: 'http://h/v1' })
  expect(inspect(config, { depth: 20 })).toContain('[secret]')
  expect(inspect(config, { depth: 20, showHidden: true })).not.toContain('planted')
})

test.each([
  ['anthropic', 'https://api.anthropic.com/v1'],
  ['google', 'https://generativelanguage.googleapis.com/v1beta'],
])('an engine of kind %s has the address of its API, unless the file names another', (kind, baseUrl) => {
  const engines = `engines: [{ id: a, kind: ${kind}, apiKey: sk-1 }, { id: b, kind: ${kind}, baseUrl: 'http://h/v1/' }]`
  expect(load(engines).engines).toMatchObject([
    { kind, baseUrl, deniedKeys: [] },
    { kind, baseUrl: 'http://h/v1', apiKey: null },
  ])
})
