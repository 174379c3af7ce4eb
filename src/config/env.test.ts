import { expect, test } from 'vitest'
import { EnvironmentError, readEnvironment } from './env.ts'

const long = 'a-secret-of-the-test-with-many-characters'

test('an empty environment has every default', () => {
  expect(readEnvironment({})).toMatchObject({
    dataFolder: './data',
    secret: null,
    adminToken: null,
    openAi: null,
    anthropic: null,
    traceEndpoint: null,
    logLevel: 'info',
    failpoint: null,
    noColor: false,
    ci: false,
  })
})

test('every variable is read', () => {
  const environment = readEnvironment({
    RIALTO_DATA: '/var/rialto',
    RIALTO_SECRET: long,
    RIALTO_ADMIN_TOKEN: 'token',
    OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1/',
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_API_KEY: 'sk-2',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:8001/',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    RIALTO_LOG_LEVEL: 'debug',
    RIALTO_FAILPOINT: 'settle.before_commit:3',
    NO_COLOR: '1',
    CI: 'true',
    ANY: 'thing',
  })
  expect(environment).toMatchObject({
    dataFolder: '/var/rialto',
    openAi: { baseUrl: 'http://127.0.0.1:8000/v1' },
    anthropic: { baseUrl: 'http://127.0.0.1:8001/v1' },
    traceEndpoint: 'http://127.0.0.1:4318',
    logLevel: 'debug',
    failpoint: { name: 'settle.before_commit', nth: 3 },
    noColor: true,
    ci: true,
  })
  const { secret, adminToken, openAi, anthropic } = environment
  expect([secret, adminToken, openAi?.apiKey, anthropic?.apiKey].map(value => value?.reveal())).toEqual([
    long,
    'token',
    'sk-1',
    'sk-2',
  ])
  expect(environment.lookup('ANY')).toBe('thing')
  expect(environment.lookup('OTHER')).toBeUndefined()
})

test('an empty variable is as good as one that is not set', () => {
  const empty = {
    RIALTO_DATA: '',
    RIALTO_SECRET: '',
    OPENAI_BASE_URL: '',
    RIALTO_LOG_LEVEL: '',
    RIALTO_FAILPOINT: '',
    NO_COLOR: '',
    CI: '',
  }
  expect({ ...readEnvironment(empty), lookup: null }).toEqual({ ...readEnvironment({}), lookup: null })
})

test('a key without an address names no engine: whoever has a key at hand need not sell with it', () => {
  expect(readEnvironment({ OPENAI_API_KEY: 'sk-1' }).openAi).toBeNull()
  expect(readEnvironment({ OPENAI_BASE_URL: 'http://h/v1' }).openAi).toEqual({ baseUrl: 'http://h/v1', apiKey: null })
})

test("Claude needs only a key: its address is known, and others may be given as Anthropic's programs take them", () => {
  const addressOf = (variables: Record<string, string>) => readEnvironment(variables).anthropic?.baseUrl ?? null
  expect(addressOf({ ANTHROPIC_API_KEY: 'sk-2' })).toBe('https://api.anthropic.com/v1')
  expect(addressOf({ ANTHROPIC_API_KEY: 'sk-2', ANTHROPIC_BASE_URL: 'http://h/v1/' })).toBe('http://h/v1')
  expect(addressOf({ ANTHROPIC_BASE_URL: 'http://h' })).toBeNull()
})

test('a failpoint without a number is its first passage', () => {
  expect(readEnvironment({ RIALTO_FAILPOINT: 'usage.seen' }).failpoint).toEqual({ name: 'usage.seen', nth: 1 })
})

test('CI is off when it says so', () => {
  expect(['0', 'false'].map(CI => readEnvironment({ CI }).ci)).toEqual([false, false])
})

test.each([
  [{ RIALTO_SECRET: 'short' }, 'RIALTO_SECRET must have at least 16 characters'],
  [{ RIALTO_LOG_LEVEL: 'loud' }, 'RIALTO_LOG_LEVEL must be one of debug, info, warn, error'],
  [{ OPENAI_BASE_URL: '127.0.0.1:8000' }, 'OPENAI_BASE_URL must begin with http:// or https://'],
  [{ OPENAI_BASE_URL: 'https://u:p@h/v1' }, 'OPENAI_BASE_URL must be an address without user name'],
  [{ ANTHROPIC_BASE_URL: 'h' }, 'ANTHROPIC_BASE_URL must begin with http:// or https://'],
  [{ OPENAI_API_KEY: 'a\r\nb' }, 'OPENAI_API_KEY must be at most'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'x' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must begin with'],
  [{ RIALTO_FAILPOINT: 'usage.seen:0' }, 'RIALTO_FAILPOINT must be'],
  [{ RIALTO_FAILPOINT: 'usage.unseen' }, 'RIALTO_FAILPOINT must be'],
  [{ RIALTO_FAILPOINT: 'A b' }, 'RIALTO_FAILPOINT must be'],
])('%o is refused', (variables, expected) => {
  expect(() => readEnvironment(variables)).toThrow(expected)
})

test('everything that is wrong is said at once, and no value is', () => {
  const read = () => readEnvironment({ RIALTO_SECRET: 'planted', RIALTO_LOG_LEVEL: 'planted' })
  expect(read).toThrow(EnvironmentError)
  expect(read).toThrow(/RIALTO_SECRET[^\n]*\n.*RIALTO_LOG_LEVEL|RIALTO_LOG_LEVEL[^\n]*\n.*RIALTO_SECRET/)
  expect(read).not.toThrow(/planted/)
})
