import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const admin = { key: { type: 'admin' } } as const

const gateway = useGateway({
  models: { 'demo/one': {}, 'demo/open': { privacy: 'anonymized' } },
  accounts: {
    boss: admin,
    maker: admin,
    'other maker': admin,
    rival: admin,
    bound: { key: { type: 'admin', allowedModels: ['demo/one'], requestsPerMinute: 7, requestsPerDay: 9 } },
  },
})

const call = adminClient(gateway, 'boss')
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const unknownId = '01234567-89ab-8cde-8f01-234567000000'
const wanted = { apiKeyType: 'INFERENCE', description: 'ci' }

async function make(body: object = {}) {
  const { status, body: answer } = await call('POST', '/api_keys', { body: { ...wanted, ...body } })
  expect([status, answer.success]).toEqual([200, true])
  return answer.data
}

const ask = (key: string, body: object = {}) => gateway.client.chat(body, { key })

describe('POST /api/v1/api_keys: 200', () => {
  it('shows the key once, with everything that it was made with', async () => {
    expect(await make()).toEqual({
      id: expect.stringMatching(uuid),
      apiKey: expect.stringMatching(/^vk-[0-9A-Za-z]{43}$/),
      apiKeyType: 'INFERENCE',
      description: 'ci',
      expiresAt: null,
      consumptionLimit: { usd: null, diem: null, vcu: null },
      limitPeriod: 'EPOCH',
      modelPrivacy: 'ALL',
    })
  })

  it('makes a key that works at once and pays with the account', async () => {
    const { apiKey } = await make()
    const before = await gateway.client.credits(gateway.account('boss').key)
    expect((await ask(apiKey)).status).toBe(200)
    expect((await gateway.client.credits(apiKey)).usedNano).toBeGreaterThan(before.usedNano)
  })

  it.each([
    [{ apiKeyType: 'ADMIN' }, { apiKeyType: 'ADMIN' }],
    [{ description: '' }, { description: '' }],
    [{ description: 'ö'.repeat(64) }, { description: 'ö'.repeat(64) }],
    [{ expiresAt: '' }, { expiresAt: null }],
    [{ expiresAt: null }, { expiresAt: null }],
    [{ expiresAt: '2099-12-31' }, { expiresAt: '2099-12-31T23:59:59.999Z' }],
    [{ expiresAt: '2099-12-31T12:00:00Z' }, { expiresAt: '2099-12-31T12:00:00.000Z' }],
    [{ expiresAt: '2099-12-31T12:00:00.123Z' }, { expiresAt: '2099-12-31T12:00:00.123Z' }],
    [{ consumptionLimit: { usd: 0 } }, { consumptionLimit: { usd: 0, diem: null, vcu: null } }],
    [{ consumptionLimit: { usd: 0.000000001, diem: 2.5 } }, { consumptionLimit: { usd: 1e-9, diem: 2.5, vcu: null } }],
    [{ consumptionLimit: { vcu: 3 } }, { consumptionLimit: { usd: null, diem: 3, vcu: null } }],
    [{ consumptionLimit: { diem: 1, vcu: 3 } }, { consumptionLimit: { usd: null, diem: 1, vcu: null } }],
    [{ consumptionLimit: { usd: 9_999_999_999 } }, { consumptionLimit: { usd: 8_000_000_000, diem: null, vcu: null } }],
    [{ consumptionLimit: null }, { consumptionLimit: { usd: null, diem: null, vcu: null } }],
    [{ limitPeriod: 'EPOCH' }, { limitPeriod: 'EPOCH' }],
    [{ limitPeriod: 'MONTH' }, { limitPeriod: 'MONTH' }],
    [{ limitPeriod: 'LIFETIME' }, { limitPeriod: 'LIFETIME' }],
    [{ modelPrivacy: 'ALL' }, { modelPrivacy: 'ALL' }],
    [{ modelPrivacy: 'PRIVATE_TEXT' }, { modelPrivacy: 'PRIVATE_TEXT' }],
    [{ modelPrivacy: 'PRIVATE_ONLY' }, { modelPrivacy: 'PRIVATE_ONLY' }],
  ])('takes %j', async (body, shown) => {
    // Each account may make twenty keys a minute.
    const maker = 'apiKeyType' in body || 'description' in body || 'expiresAt' in body ? 'maker' : 'other maker'
    const answer = await call('POST', '/api_keys', {
      body: { ...wanted, ...body },
      key: gateway.account(maker).key,
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: shown } })
  })
})

describe('POST /api/v1/api_keys: 400', () => {
  it.each([
    [{ apiKeyType: undefined }, ['apiKeyType'], 'invalid_type'],
    [{ apiKeyType: 'inference' }, ['apiKeyType'], 'invalid_enum_value'],
    [{ description: undefined }, ['description'], 'invalid_type'],
    [{ description: null }, ['description'], 'invalid_type'],
    [{ description: 'x'.repeat(65) }, ['description'], 'too_big'],
    [{ description: 'a\u0000b' }, ['description'], 'custom'],
    [{ expiresAt: 'tomorrow' }, ['expiresAt'], 'custom'],
    [{ expiresAt: '2099-02-30' }, ['expiresAt'], 'custom'],
    [{ expiresAt: '2099-12-31T12:00:00+01:00' }, ['expiresAt'], 'custom'],
    [{ expiresAt: 4_102_444_800 }, ['expiresAt'], 'invalid_type'],
    [{ expiresAt: '2020-01-01' }, ['expiresAt'], 'custom'],
    [{ consumptionLimit: 5 }, ['consumptionLimit'], 'invalid_type'],
    [{ consumptionLimit: { usd: -1 } }, ['consumptionLimit', 'usd'], 'too_small'],
    [{ consumptionLimit: { usd: 10_000_000_000 } }, ['consumptionLimit', 'usd'], 'too_big'],
    [{ consumptionLimit: { usd: 0.1234567891 } }, ['consumptionLimit', 'usd'], 'custom'],
    [{ consumptionLimit: { usd: '5' } }, ['consumptionLimit', 'usd'], 'invalid_type'],
    [{ consumptionLimit: { diem: -1 } }, ['consumptionLimit', 'diem'], 'too_small'],
    [{ consumptionLimit: { vcu: 1e10 } }, ['consumptionLimit', 'vcu'], 'too_big'],
    [{ consumptionLimit: { eur: 1 } }, ['consumptionLimit'], 'unrecognized_keys'],
    [{ limitPeriod: 'DAY' }, ['limitPeriod'], 'invalid_enum_value'],
    [{ modelPrivacy: 'NONE' }, ['modelPrivacy'], 'invalid_enum_value'],
    [{ admin: true }, [], 'unrecognized_keys'],
  ])('refuses %j', async (body, path, code) => {
    const { status, body: answer } = await call('POST', '/api_keys', { body: { ...wanted, ...body } })
    expect(status).toBe(400)
    expect(answer).toMatchObject({ error: 'Invalid request parameters', issues: [{ code, path }] })
    expect(answer.details).toHaveProperty('_errors')
  })

  it('refuses what is no JSON, in the words that clients know', async () => {
    expect((await call('POST', '/api_keys', { body: '{' })).body).toMatchObject({ error: 'Invalid JSON request' })
    const typed = await call('POST', '/api_keys', { body: '{}', headers: { 'content-type': 'text/plain' } })
    expect([typed.status, typed.body.error]).toEqual([400, "'Content-Type' must be 'application/json'"])
    expect((await call('POST', '/api_keys')).body).toMatchObject({ issues: [{ message: 'Required', path: [] }] })
  })
})

describe('POST /api/v1/api_keys: 413, 415', () => {
  it('refuses bodies that are too long or coded', async () => {
    const long = await call('POST', '/api_keys', { body: { ...wanted, description: 'x'.repeat(70_000) } })
    expect([long.status, long.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const coded = await call('POST', '/api_keys', { body: wanted, headers: { 'content-encoding': 'gzip' } })
    expect([coded.status, coded.body.error]).toEqual([415, 'Request encoding is not supported'])
  })
})

describe('GET /api/v1/api_keys', () => {
  it('200: lists the keys that count, the newest first, and none of anybody else', async () => {
    const made = await make({ description: 'newest', consumptionLimit: { usd: 10 }, limitPeriod: 'MONTH' })
    await ask(made.apiKey)
    const { body, headers } = await call('GET', '/api_keys')
    expect(headers['cache-control']).toBe('private, no-store')
    expect([body.object, body.data[0]]).toEqual([
      'list',
      {
        id: made.id,
        apiKeyType: 'INFERENCE',
        description: 'newest',
        createdAt: expect.stringMatching(time),
        expiresAt: null,
        lastUsedAt: expect.stringMatching(time),
        last6Chars: made.apiKey.slice(-6),
        consumptionLimits: { usd: 10, diem: null, vcu: null },
        limitPeriod: 'MONTH',
        modelPrivacy: 'ALL',
        usage: { trailingSevenDays: { usd: expect.stringMatching(/^0\.\d{4,9}$/), vcu: '0.0000', diem: '0.0000' } },
        currentPeriodUsage: { usd: expect.any(Number), diem: 0 },
      },
    ])
    expect(body.data[0].currentPeriodUsage.usd).toBe(Number(body.data[0].usage.trailingSevenDays.usd))
    expect(body.data.at(-1)).toMatchObject({ apiKeyType: 'ADMIN', lastUsedAt: null })
    expect(body.data.at(-1)).not.toHaveProperty('currentPeriodUsage')
    const rivals = await call('GET', '/api_keys', { key: gateway.account('rival').key })
    expect(rivals.body.data).toHaveLength(1)
  })

  it('200: shows one key by its id', async () => {
    const { body } = await call('GET', '/api_keys')
    const [first] = body.data
    expect((await call('GET', `/api_keys/${first.id}`)).body).toEqual({ data: first })
    expect((await call('GET', `/api_keys/${first.id.toUpperCase()}`)).body).toEqual({ data: first })
  })

  it.each([unknownId, 'no-uuid'])('400: there is no key %s', async id => {
    expect(await call('GET', `/api_keys/${id}`)).toMatchObject({ status: 400, body: { error: 'API key not found' } })
  })

  it('400: a key of another account is as unknown as any', async () => {
    const { body } = await call('GET', '/api_keys', { key: gateway.account('rival').key })
    expect((await call('GET', `/api_keys/${body.data[0].id}`)).body).toMatchObject({ error: 'API key not found' })
  })
})

describe('PATCH /api/v1/api_keys', () => {
  it('200: changes what is named, and shows the key as it is now', async () => {
    const { id, apiKey } = await make({ consumptionLimit: { usd: 5, diem: 1 } })
    const patch = async (change: object) => (await call('PATCH', '/api_keys', { body: { id, ...change } })).body
    expect(await patch({ description: 'shop', consumptionLimit: { usd: 7 } })).toEqual({
      success: true,
      data: {
        id,
        apiKeyType: 'INFERENCE',
        description: 'shop',
        createdAt: expect.stringMatching(time),
        expiresAt: null,
        lastUsedAt: null,
        last6Chars: apiKey.slice(-6),
        consumptionLimits: { usd: 7, diem: 1, vcu: null },
        limitPeriod: 'EPOCH',
        modelPrivacy: 'ALL',
      },
    })
    const changes = { expiresAt: '2099-12-31', limitPeriod: 'LIFETIME', modelPrivacy: 'PRIVATE_ONLY' }
    expect((await patch(changes)).data).toMatchObject({
      ...changes,
      expiresAt: '2099-12-31T23:59:59.999Z',
      description: 'shop',
    })
    expect((await patch({ expiresAt: null, description: null })).data).toMatchObject({
      expiresAt: '2099-12-31T23:59:59.999Z',
      description: 'shop',
    })
    expect((await patch({ expiresAt: '', consumptionLimit: { usd: null } })).data).toMatchObject({
      expiresAt: null,
      consumptionLimits: { usd: null, diem: 1 },
    })
    expect((await patch({})).data).toMatchObject({ limitPeriod: 'LIFETIME' })
  })

  it('200: a lower limit and a narrower choice of models hold within a second', async () => {
    const { id, apiKey } = await make()
    const open = { model: 'demo/open' }
    expect((await ask(apiKey, open)).status).toBe(200)
    await call('PATCH', '/api_keys', { body: { id, modelPrivacy: 'PRIVATE_ONLY' } })
    await expect.poll(async () => (await ask(apiKey, open)).status, { timeout: stretched(1_000) }).toBe(403)
    expect((await ask(apiKey)).status).toBe(200)
    await call('PATCH', '/api_keys', { body: { id, consumptionLimit: { usd: 0 } } })
    expect((await ask(apiKey)).status).toBe(402)
  })

  it.each([
    [{ description: 'x'.repeat(65) }, ['description']],
    [{ expiresAt: '2020-01-01' }, ['expiresAt']],
    [{ consumptionLimit: { usd: -1 } }, ['consumptionLimit', 'usd']],
    [{ limitPeriod: 'DAY' }, ['limitPeriod']],
    [{ modelPrivacy: 'x' }, ['modelPrivacy']],
    [{ apiKeyType: 'ADMIN' }, []],
    [{ id: undefined }, ['id']],
    [{ id: 7 }, ['id']],
  ])('400: refuses %j', async (change, path) => {
    const { status, body } = await call('PATCH', '/api_keys', { body: { id: unknownId, ...change } })
    expect([status, body.issues[0].path]).toEqual([400, path])
  })

  it('400: there is no such key, or none any more', async () => {
    const { id } = await make()
    await call('DELETE', `/api_keys?id=${id}`)
    for (const gone of [id, unknownId, 'no-uuid'])
      expect(await call('PATCH', '/api_keys', { body: { id: gone, description: 'x' } })).toMatchObject({
        status: 400,
        body: { error: 'API key not found or expired' },
      })
  })

  it('400: a key of another account is as unknown as any', async () => {
    const { id } = await make()
    const key = gateway.account('rival').key
    const body = { id, description: 'stolen' }
    expect((await call('PATCH', '/api_keys', { body, key })).body).toMatchObject({
      error: 'API key not found or expired',
    })
    expect((await call('DELETE', `/api_keys?id=${id}`, { key })).status).toBe(400)
    expect((await call('GET', `/api_keys/${id}`)).body.data.description).toBe('ci')
  })
})

describe('DELETE /api/v1/api_keys', () => {
  it.each(['query', 'body'])('200: ends a key that the %s names, within a second', async place => {
    const { id, apiKey } = await make()
    expect((await ask(apiKey)).status).toBe(200)
    const answer =
      place === 'query'
        ? await call('DELETE', `/api_keys?id=${id}`)
        : await call('DELETE', '/api_keys', { body: { id } })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    await expect.poll(async () => (await ask(apiKey)).status, { timeout: stretched(1_000) }).toBe(401)
    expect((await call('DELETE', `/api_keys?id=${id}`)).body).toMatchObject({ error: 'API key could not be found' })
  })

  it('400: names the field that is missing', async () => {
    expect((await call('DELETE', '/api_keys')).body).toMatchObject({ issues: [{ path: ['id'], message: 'Required' }] })
    expect((await call('DELETE', '/api_keys?id=x')).body).toMatchObject({ error: 'API key could not be found' })
  })
})

describe('/api/v1/api_keys: 401, 402, 405', () => {
  const routes = [
    ['GET', '/api_keys'],
    ['GET', `/api_keys/${unknownId}`],
    ['POST', '/api_keys'],
    ['PATCH', '/api_keys'],
    ['DELETE', '/api_keys'],
  ] as const

  it.each(routes)('%s %s takes admin keys only', async (method, path) => {
    const body = method === 'GET' ? undefined : '{'
    const inference = await call(method, path, { body, key: gateway.account('main').key })
    expect([inference.status, inference.body.error]).toEqual([401, 'Admin API key required'])
    const unknown = await call(method, path, { body, key: 'vk-unknown' })
    expect([unknown.status, unknown.body.error]).toEqual([401, 'Authentication failed'])
    for (const headers of [{}, { 'sign-in-with-x': 'e30=' }]) {
      const nobody = await call(method, path, { body, key: null, headers })
      expect([nobody.status, nobody.body.accepts]).toEqual([402, []])
      expect(nobody.headers).toHaveProperty('payment-required')
    }
  })

  it('takes no other method', async () => {
    expect((await call('PUT', '/api_keys', { body: {} })).headers['allow']).toContain('PATCH')
    expect((await call('POST', `/api_keys/${unknownId}`, { body: {} })).status).toBe(405)
  })
})

it('what an operator laid upon an admin key holds for the keys that it makes', async () => {
  const key = gateway.account('bound').key
  const { body } = await call('POST', '/api_keys', { body: wanted, key })
  expect((await ask(body.data.apiKey, { model: 'demo/open' })).status).toBe(403)
  const { body: shown } = await call('GET', '/api_keys/rate_limits', { key: body.data.apiKey })
  const rateLimits = [
    { type: 'RPM', amount: 7 },
    { type: 'RPD', amount: 9 },
  ]
  expect(shown.data.rateLimits).toEqual([{ apiModelId: 'demo/one', rateLimits }])
})

describe('POST /api/v1/api_keys: 429', () => {
  it('makes at most twenty keys a minute', async () => {
    const key = gateway.account('rival').key
    const made = await Promise.all(Array.from({ length: 24 }, () => call('POST', '/api_keys', { body: wanted, key })))
    const refused = made.filter(({ status }) => status !== 200)
    expect(made.length - refused.length).toBe(19)
    expect(refused[0]).toMatchObject({ status: 429, body: { error: 'Rate limit exceeded' } })
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('/api/v1/api_keys/generate_web3_key: 403', () => {
  it.each(['GET', 'POST'])(
    '%s says what is switched off unless the operator says otherwise, and reads no body',
    async method => {
      const { status, body } = await call(method, '/api_keys/generate_web3_key', {
        key: null,
        ...(method === 'POST' && { body: '{' }),
      })
      expect([status, body.error]).toEqual([403, expect.stringContaining('accounts.selfService')])
    },
  )
})
