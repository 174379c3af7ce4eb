import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const endsOn = '2099-01-31'
const gateway = useGateway({
  models: {
    'demo/new': { name: 'Démo' },
    'demo/old': { deprecation: { date: endsOn, successor: 'demo/new' } },
    'demo/last': { deprecation: { date: endsOn } },
    'demo/gone': { traits: ['default'], deprecation: { date: '2020-01-31', successor: 'demo/new' } },
    'demo/moved': {
      compatibility: ['gpt-old'],
      deprecation: { date: '2020-01-31', successor: 'demo/new', autoRemap: true },
    },
    'demo/trial': { beta: true },
    'demo/local': { regions: { deny: ['DE'] } },
  },
  settings: {
    ownedBy: 'Acme',
    server: { trustProxy: ['127.0.0.1'], regionHeader: 'cf-ipcountry' },
  },
  accounts: { boss: { key: { type: 'admin' } } },
})
const call = adminClient(gateway, 'boss')
const ask = (model: string, headers: Record<string, string> = {}) =>
  call('POST', '/chat/completions', { body: { model, messages: [{ role: 'user', content: 'Hi' }] }, headers })

describe('every answer of /api/v1', () => {
  it.each([
    ['GET', '/models', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/api_keys', 200],
    ['PUT', '/api_keys', 405],
    ['POST', '/chat/completions', 400],
    ['GET', '/billing/usage', 410],
  ])('%s %s names its request, the version and the time', async (method, path, status) => {
    const answer = await call(method, path, method === 'POST' ? { body: '{' } : {})
    expect(answer.status).toBe(status)
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/)
    expect(answer.headers['cf-ray']).toBe(answer.headers['x-request-id'])
    expect(answer.headers['x-venice-version']).toMatch(/^\d{8}\.\d{6}$/)
    const age = Date.now() - Date.parse(String(answer.headers['x-venice-timestamp']))
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(30_000)
    expect(answer.headers['x-venice-host-name']).toBe(status < 400 ? undefined : 'Acme')
  })

  it.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1?x=1',
    '/api/v1/%zz',
    '/api/v1/characters/../../x',
    // What clients make of such an address before they send it.
    '/api/',
    '/api/x',
  ])('%s fails in its shape', async path => {
    const { status, text, headers } = await gateway.client.send(path)
    expect([400, 404]).toContain(status)
    expect(JSON.parse(text)).toEqual({ error: expect.any(String) })
    expect(headers['x-venice-host-name']).toBe('Acme')
  })

  it('lets pages of other origins read them, and tells them which methods there are', async () => {
    const { headers } = await call('GET', '/models', { headers: { origin: 'https://page.example' } })
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    const answered = (await ask('demo/old')).headers
    const ours = Object.keys(answered).filter(name => /^(x-|cf-|retry|payment|idempotent)/.test(name))
    expect(ours.filter(name => name !== 'x-content-type-options' && !exposed.includes(name))).toEqual([])
    const preflight = await call('OPTIONS', '/api_keys', {
      key: null,
      headers: { origin: 'https://page.example', 'access-control-request-method': 'PATCH' },
    })
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, POST, PATCH, DELETE, OPTIONS',
    ])
    const plain = await gateway.client.send('/v1/models', { method: 'OPTIONS' })
    expect(plain.headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS')
    expect((await gateway.client.send('/v1/models')).headers['x-venice-version']).toBeUndefined()
  })
})

describe('POST /api/v1/chat/completions', () => {
  it('200: names the model, and who offers it', async () => {
    expect((await ask('demo/new')).headers).toMatchObject({
      'x-venice-model-id': 'demo/new',
      'x-venice-model-name': 'D?mo',
      'x-venice-model-router': 'Acme',
    })
  })

  it('200, 402, 429: tells what the account had before, and whose rates they are', async () => {
    const { key } = await gateway.openAccount('paying', { credit: 4.23, key: { requestsPerMinute: 2 } })
    const body = { model: 'demo/new', messages: [{ role: 'user', content: 'Hi' }] }
    const send = () => call('POST', '/chat/completions', { key, body })
    const first = await send()
    expect([first.status, first.headers]).toEqual([
      200,
      expect.objectContaining({
        'x-venice-balance-usd': '4.23',
        'x-balance-remaining': '4.230000',
        'x-ratelimit-type': 'api_key',
        'x-ratelimit-limit-requests': '2',
      }),
    ])
    expect(first.headers).not.toHaveProperty('x-venice-balance-diem')
    const second = await send()
    const left = 4.23 - first.body.cost.usd
    expect(Number(second.headers['x-venice-balance-usd'])).toBeCloseTo(left, 9)
    expect(Number(second.headers['x-balance-remaining'])).toBeLessThanOrEqual(left)
    const third = await send()
    expect([third.status, third.body]).toEqual([
      429,
      expect.objectContaining({
        error: 'Rate limit exceeded',
        message: expect.stringContaining('at most 2 per minute'),
      }),
    ])
    expect(third.headers).toMatchObject({ 'x-ratelimit-type': 'api_key', 'retry-after': expect.any(String) })
    const poor = await gateway.openAccount('poor', { credit: 0 })
    const refused = await call('POST', '/chat/completions', { key: poor.key, body })
    expect([refused.status, refused.headers['x-venice-balance-usd'], refused.headers['x-ratelimit-type']]).toEqual([
      402,
      '0',
      'user',
    ])
  })

  it('200: says of a model that ends when it does, and what comes after it', async () => {
    const { status, headers } = await ask('demo/old')
    expect([status, headers['x-venice-model-deprecation-date']]).toEqual([200, endsOn])
    expect(headers['x-venice-model-deprecation-warning']).toBe(
      `The model demo/old ends on ${endsOn}. demo/new takes its place.`,
    )
    expect((await ask('demo/last')).headers['x-venice-model-deprecation-warning']).toBe(
      `The model demo/last ends on ${endsOn}.`,
    )
    expect((await ask('demo/new')).headers['x-venice-model-deprecation-date']).toBeUndefined()
  })

  it('200: has the successor answer for a model that ended, where the operator said so', async () => {
    for (const model of ['demo/moved', 'gpt-old', 'demo/moved:disable_thinking=true']) {
      const { status, body, headers } = await ask(model)
      expect([status, body.model, headers['x-venice-model-id']]).toEqual([200, 'demo/new', 'demo/new'])
    }
  })

  it('404: names the successor of a model that ended', async () => {
    const { status, body } = await ask('demo/gone')
    expect([status, body.error]).toEqual([404, 'The model `demo/gone` has been deprecated. Please use `demo/new`.'])
    expect((await gateway.client.chat({ model: 'demo/gone' })).json).toMatchObject({
      error: { code: 'model_not_found' },
    })
  })

  it('403: is not there for callers from where a model may not be used, or of whom nobody knows', async () => {
    const text = 'The model `demo/local` is not available in your region.'
    for (const headers of [{ 'cf-ipcountry': 'de' }, { 'cf-ipcountry': 'XX' }, {}]) {
      const { status, body } = await ask('demo/local', headers as Record<string, string>)
      expect([status, body.error]).toEqual([403, text])
    }
    expect((await ask('demo/local', { 'cf-ipcountry': 'FR' })).status).toBe(200)
    expect((await ask('demo/new', { 'cf-ipcountry': 'DE' })).status).toBe(200)
  })
})

describe('GET /api/v1/models', () => {
  it('shows what is on trial and what ends, and nothing that ended', async () => {
    const { data } = (await call('GET', '/models')).body
    const specs = new Map(data.map(({ id, model_spec }: { id: string; model_spec: object }) => [id, model_spec]))
    expect([...specs.keys()]).toEqual(['demo/new', 'demo/old', 'demo/last', 'demo/trial', 'demo/local'])
    expect(specs.get('demo/trial')).toMatchObject({ beta: true })
    expect(specs.get('demo/new')).not.toHaveProperty('beta')
    expect(specs.get('demo/old')).toMatchObject({
      deprecation: { autoRemap: false, date: endsOn, removesAt: endsOn, replacementModelId: 'demo/new' },
    })
    expect(specs.get('demo/local')).toMatchObject({ regionRestrictions: ['DE'] })
  })

  it('429: of one address no more than some hundred a minute', async () => {
    const { status, body, headers } = await (async () => {
      const askModels = () => call('GET', '/models', { key: null, headers: { 'x-forwarded-for': '192.0.2.7' } })
      for (;;) {
        // Several at a time, so that a slow machine asks more often than ten times a second too.
        const answers = await Promise.all(Array.from({ length: 20 }, askModels))
        const refused = answers.find(answer => answer.status !== 200)
        if (refused !== undefined) return refused
      }
    })()
    expect([status, body]).toEqual([
      429,
      {
        error: 'Rate limit exceeded',
        code: 'RATE_LIMIT_EXCEEDED',
        message: expect.stringMatching(
          /^At most 600 requests a minute are taken from one address: try again in \d+ second/,
        ),
      },
    ])
    expect(headers['retry-after']).toMatch(/^\d+$/)
    const other = await call('GET', '/models', { key: null, headers: { 'x-forwarded-for': '192.0.2.8' } })
    expect(other.status).toBe(200)
  })
})

describe('GET /api/v1/billing/usage', () => {
  it('429: of one address no more than sixty a minute, without headers of a rate', async () => {
    const ask410 = () => call('GET', '/billing/usage', { key: null, headers: { 'x-forwarded-for': '192.0.2.9' } })
    const beganMs = performance.now()
    const answers = await Promise.all(Array.from({ length: 140 }, ask410))
    const refused = answers.filter(({ status }) => status === 429)
    const taken = answers.filter(({ status }) => status === 410).length
    expect(taken + refused.length).toBe(answers.length)
    // One more is taken for each second that the questions took.
    expect(taken).toBeGreaterThanOrEqual(60)
    expect(taken).toBeLessThanOrEqual(61 + (performance.now() - beganMs) / 1_000)
    for (const { headers } of refused)
      expect(Object.keys(headers).filter(name => name.startsWith('x-ratelimit'))).toEqual([])
  })
})

describe('what the account has', () => {
  it('stands in the head of what is read with a key, and not where none is sent', async () => {
    const { key } = await gateway.openAccount('reading', { credit: 4.23, key: { type: 'admin' } })
    for (const path of ['/api_keys', '/api_keys/rate_limits', '/billing/balance', '/characters']) {
      const { status, headers } = await call('GET', path, { key })
      expect([path, status, headers['x-venice-balance-usd'], headers['x-balance-remaining']]).toEqual([
        path,
        200,
        '4.23',
        '4.230000',
      ])
      expect(headers['x-venice-balance-diem']).toBeUndefined()
    }
    const { headers } = await call('GET', '/models', { key: null })
    expect(headers['x-venice-balance-usd']).toBeUndefined()
  })
})
