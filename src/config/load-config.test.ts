import { expect, test } from 'vitest'
import { ConfigError } from './check/config-error.ts'
import { loadConfig } from './load-config.ts'

const variables: Readonly<Record<string, string>> = { PORT: '9000', DIGITS: '0012', YES: 'true', NO_LIMIT: 'unlimited' }
const source = {
  fileName: 'rialto.yaml',
  lookup: (name: string) => variables[name],
  folder: '/etc/rialto',
  dataFolder: '/var/rialto',
  adminToken: null,
  createdSeconds: 1_767_225_600,
}
const load = (text: string) => loadConfig(text, source)

function problemsOf(text: string): readonly string[] {
  try {
    load(text)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message
        .split('\n')
        .slice(1)
        .map(problem => problem.trim())
    throw error
  }
  return []
}

const engines = 'engines: [{ id: gpu-a, baseUrl: "http://h/v1" }]\n'
const model = (more: string): string =>
  `${engines}models: [{ id: m, served: [{ engine: gpu-a, model: x }], ${more} }]\n`

test('the empty file is the configuration that has every default', () => {
  const config = load('')
  expect(config.server).toMatchObject({ host: '127.0.0.1', port: 8402, publicUrl: 'http://127.0.0.1:8402' })
  expect(config.store).toEqual({ kind: 'sqlite', path: '/var/rialto/rialto.db' })
  expect(config.startingCreditNano).toBe(5_000_000_000n)
  expect(config.limits.overdraftNano).toBe(500_000_000n)
  expect(config.pricing.default).toEqual({ inputNanoPerMillion: 250_000_000n, outputNanoPerMillion: 1_000_000_000n })
  expect(config.engines).toEqual([])
  expect(config.search.order).toEqual([{ name: 'embedded' }])
})

test('a section without content is as good as absent', () => {
  expect(load('server:\nlimits:\n  tiers:\nengines:\npayments:\n')).toEqual(load(''))
})

test('every problem of a file is reported at once, in order, with path, line and column', () => {
  const text = `server:
  prot: 8402
limits:
  overdraftUsd: -1
engines:
  - id: gpu-a
    kind: opanai
    baseUrl: ftp://h
  - id: gpu-a
    baseUrl: http://h/v1
models:
  - id: m
    served: [{ engine: gpu-b, model: x }]
    contextTokens: 100
    maxOutputTokens: 200
    tier: XXL
`
  expect(problemsOf(text)).toEqual([
    'rialto.yaml:2:3  server.prot is not a known key; did you mean "port"?',
    'rialto.yaml:4:3  limits.overdraftUsd must be a number of dollars from 0 to 1000000000',
    'rialto.yaml:7:5  engines[0].kind must be openai, anthropic, google or embedded; did you mean "openai"?',
    'rialto.yaml:8:5  engines[0].baseUrl must begin with http:// or https://',
    'rialto.yaml:9:5  engines[1].id is the id of an engine above',
    'rialto.yaml:13:16  models[0].served[0].engine names an engine that is not configured; did you mean "gpu-a"?',
    'rialto.yaml:15:5  models[0].maxOutputTokens must not be above contextTokens',
    'rialto.yaml:16:5  models[0].tier must be XS, S, M or L',
  ])
})

test.each([
  ['an unknown key, with the nearest one', 'acounts: {}', '1:1  acounts is not a known key; did you mean "accounts"?'],
  ['a key outside its section', 'port: 1', '1:1  port is not a known key; did you mean "server.port"?'],
  [
    'a key that is near to none, with those that are there',
    'billing: { x: 1 }',
    '1:12  billing.x is not a known key; here are billPartial',
  ],
  ['a file that is a list', '- 1', '1:1  the file must be a section with keys'],
  ['a file that is no YAML', 'a: [', expect.stringContaining('1:5  the file is not valid YAML')],
  ['text where a number is wanted', 'server: { port: x }', '1:11  server.port must be a whole number from 0 to 65535'],
  ['a number where text is wanted', 'ownedBy: 5', '1:1  ownedBy must be text: put it in quotes'],
  ['a word of an older YAML', 'accounts: { selfService: yes }', '1:13  accounts.selfService must be true or false'],
  ['a scalar without a value', 'ownedBy:', '1:1  ownedBy has no value'],
  ['a missing key', 'engines: [{ kind: openai, baseUrl: "http://h" }]', '1:11  engines[0].id is missing'],
  ['an engine without an address', 'engines: [{ id: a }]', '1:11  engines[0].baseUrl is missing'],
  [
    'an engine of a kind that nobody knows',
    'engines: [{ id: a, kind: cohere }]',
    '1:20  engines[0].kind must be openai, anthropic, google or embedded',
  ],
  [
    'a limit below zero',
    'limits: { concurrencyPerAccount: -1 }',
    expect.stringContaining('0 means zero, or the word unlimited'),
  ],
  [
    'a timeout of zero',
    'engines: [{ id: a, kind: embedded, timeouts: { totalMs: 0 } }]',
    expect.stringContaining('from 1 to'),
  ],
  [
    'an amount with ten decimals',
    'startingCreditUsd: 0.0000000001',
    '1:1  startingCreditUsd must have at most nine decimals',
  ],
  ['an infinite amount', 'startingCreditUsd: .inf', expect.stringContaining('must be a number of dollars')],
  [
    'a default price of 0',
    'pricing: { default: { inputUsdPerMTok: 0 } }',
    '1:23  pricing.default.inputUsdPerMTok must be above 0',
  ],
  [
    'a variable that is not set',
    'ownedBy: ${NOPE}',
    '1:1  ownedBy needs the environment variable NOPE, which is not set',
  ],
  [
    'payments without an address',
    'payments: { x402: { enabled: true } }',
    expect.stringContaining('x402.payTo is missing'),
  ],
  [
    'a top-up outside its bounds',
    'payments: { x402: { topUp: { suggestedUsd: 1 } } }',
    expect.stringContaining('topUp.suggestedUsd must lie between minUsd and maxUsd'),
  ],
])('%s is refused', (_, text, expected) => {
  const [problem = ''] = problemsOf(text)
  expect(problem.replace('rialto.yaml:', '')).toEqual(expected)
})

test.each([
  [
    'a price of 0 without free: true',
    'pricing: { inputUsdPerMTok: 0, outputUsdPerMTok: 1 }',
    'is 0, which needs free: true',
  ],
  [
    'a price of a free model',
    'free: true, pricing: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 }',
    'pricing.inputUsdPerMTok must be 0 or left out',
  ],
  ['a negative price', 'pricing: { inputUsdPerMTok: -1, outputUsdPerMTok: 1 }', 'must be a number of dollars'],
  ['half a price', 'pricing: { inputUsdPerMTok: 1 }', 'outputUsdPerMTok is missing'],
  ['an effort that is not among efforts', 'reasoning: { efforts: [low], default: high }', 'must be one of efforts'],
  ['a day that does not exist', 'deprecation: { date: 2027-02-30 }', 'must be a date such as'],
  [
    'a successor that does not exist',
    'deprecation: { date: 2027-01-31, successor: n }',
    'names a model that is not configured',
  ],
  [
    'prompts that are encrypted',
    'capabilities: { e2ee: true }',
    'capabilities.e2ee must be false or left out: this version refuses every encrypted request',
  ],
  ['a name that is its own alias', 'compatibility: [m]', 'another model answers to this name'],
  [
    'a list that is too long',
    `traits: [${Array.from({ length: 21 }, (_, at) => `t${at}`)}]`,
    'must have at most 20 entries',
  ],
])('a model with %s is refused', (_, more, expected) => {
  expect(problemsOf(model(more))).toEqual([expect.stringContaining(expected)])
})

test('a small model for searches is one of the configured models, where any is configured', () => {
  const search = (autoModel: string) => `search: { provider: embedded, autoModel: ${autoModel} }\n`
  expect(problemsOf(`${model('')}${search('smal')}`)).toEqual([
    expect.stringMatching(/search\.autoModel names a model that is not configured/),
  ])
  expect(load(`${model('')}${search('m')}`).search.autoModel).toBe('m')
  expect(load(`${model('')}${search('""')}`).search.autoModel).toBeNull()
  expect(load(search('found/later')).search.autoModel).toBe('found/later')
})

test('two models cannot have the same id, alias or role', () => {
  const text = `${engines}models:
  - { id: a, served: [{ engine: gpu-a, model: x }], traits: [default], compatibility: [gpt] }
  - { id: b, served: [{ engine: gpu-a, model: y }], traits: [default], compatibility: [gpt, a] }
  - { id: b, served: [{ engine: gpu-a, model: z }] }
`
  expect(problemsOf(text).map(problem => problem.split('  ')[1])).toEqual([
    'models[1].traits[0] is the role of a model above',
    'models[1].compatibility[0] is taken: another model answers to this name',
    'models[1].compatibility[1] is taken: another model answers to this name',
    'models[2].id is taken: another model answers to this name',
  ])
})

test('a variable stands for a number, a boolean or text, whichever the key wants', () => {
  const config = load(`server: { port: \${PORT} }
accounts: { selfService: \${YES} }
limits: { concurrencyPerAccount: \${NO_LIMIT}, overdraftUsd: \${CREDIT:-0.25}, tiers: { XS: { rpm: \${RPM:-7} } } }
engines: [{ id: a, baseUrl: "http://h/v1", apiKey: "\${DIGITS}" }]
`)
  expect(config.server.port).toBe(9000)
  expect(config.accounts.selfService).toBe(true)
  expect(config.limits).toMatchObject({ concurrencyPerAccount: 'unlimited', overdraftNano: 250_000_000n })
  expect(config.limits.tiers.XS.requestsPerMinute).toBe(7)
  expect(config.engines[0]?.kind === 'openai' && config.engines[0].apiKey?.reveal()).toBe('0012')
})

test('a variable that holds nonsense is refused where it is used', () => {
  expect(problemsOf('server: { port: "${YES}" }')).toEqual([expect.stringContaining('server.port must be')])
})

test('a message never shows a value, which may be a secret', () => {
  const planted = 'sk-planted in the test'
  const text = `engines: [{ id: a, baseUrl: "http://u:${planted}@h", apiKey: "${planted}" }]\nadmin: { token: "${planted}" }\n`
  expect(problemsOf(text)).toHaveLength(3)
  expect(problemsOf(text).join()).not.toContain(planted)
})

test('a file of more than 1 MiB is refused unread', () => {
  expect(problemsOf(`# ${'x'.repeat(1 << 20)}`)).toEqual(['rialto.yaml:1:1  the file is longer than 1048576 bytes'])
})

test('at most fifty problems are reported', () => {
  const keys = Array.from({ length: 500 }, (_, at) => `key${at}: 1`).join('\n')
  expect(problemsOf(keys)).toHaveLength(50)
})
