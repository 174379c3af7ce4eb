import { describe, expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { expectRow } from '../support/venice/expect-row.ts'
import { freshCallers } from '../support/venice/fresh-callers.ts'

/* venice.md §4.2 from 401 on: who may not, what is not there, and what cannot be read. */

const gateway = useGateway({
  models: {
    'demo/small': {},
    'demo/pro': { proOnly: true },
    'demo/open': { privacy: 'anonymized' },
    'demo/local': { regions: { deny: ['DE'] } },
    'demo/gone': { deprecation: { date: '2020-01-31', successor: 'demo/small' } },
  },
  settings: {
    limits: { ...openLimits, errorBudget: { failed: 50, unsupported: 200, windowSeconds: 300 } },
    accounts: { selfService: true },
    server: { regionHeader: 'cf-ipcountry', trustProxy: ['127.0.0.1'] },
  },
})
const { ask, call, newKey } = freshCallers(gateway, 'demo/small')

describe('401', () => {
  const body = { error: 'Authentication failed', message: expect.any(String) }

  it('AUTHENTICATION_FAILED, and _INACTIVE_KEY, which is told by nobody', async () => {
    const store = await gateway.store()
    const { id, key: revoked } = await store.issueKey('main')
    await store.revokeKey(id)
    const { key: expired } = await store.issueKey('main', { expiresAtMs: Date.now() - 1 })
    for (const key of ['vk-unknown', revoked, expired])
      expectRow(await ask({}, { key }), { status: 401, body, left: null, headers: { 'www-authenticate': 'Bearer' } })
  })

  it.each(['sign-in-with-x', 'x-sign-in-with-x'])('X402: wallets are not taken (%s)', async name => {
    const answer = await ask({}, { key: null, headers: { [name]: 'e30=' } })
    expectRow(answer, { status: 401, body: { ...body, code: 'X402_NOT_CONFIGURED' }, left: null })
  })

  it('PRO_ONLY_MODEL', async () => {
    const error = 'This model is only available to Pro users'
    expectRow(await ask({ model: 'demo/pro' }), { status: 401, body: { error, message: expect.any(String) }, left: 49 })
  })

  it('an inference key where an admin key is needed', async () => {
    const answer = await call('GET', '/api_keys', { key: await newKey() })
    const error = 'Admin API key required'
    expectRow(answer, { status: 401, body: { error, message: expect.any(String) }, left: 49 })
  })
})

describe('403', () => {
  it('MODEL_PRIVACY_RESTRICTED', async () => {
    const error =
      "This API key is set to 'PRIVATE_ONLY', but `demo/open` is an Anonymous model. Choose a Private, TEE, or E2EE " +
      'model, or change the model privacy setting of this API key.'
    const answer = await ask({ model: 'demo/open' }, { key: await newKey({ privacy: 'private_only' }) })
    expectRow(answer, { status: 403, body: { error, code: 'MODEL_PRIVACY_RESTRICTED' }, left: 49 })
  })

  it('UNAUTHORIZED: a model that the key may not use, or the caller’s region', async () => {
    const key = await newKey({ allowedModels: ['demo/open'] })
    const error = 'This API key may not use the model `demo/small`.'
    expectRow(await ask({}, { key }), { status: 403, body: { error }, left: 49 })
    const region = { error: 'The model `demo/local` is not available in your region.' }
    const answer = await ask({ model: 'demo/local' }, { headers: { 'cf-ipcountry': 'DE' } })
    expectRow(answer, { status: 403, body: region, left: 49 })
  })
})

describe('404, 410, 413, 415', () => {
  it.each([
    [{ model: 'demo/smal' }, 'Specified model not found: demo/smal. Did you mean: demo/small?'],
    [{ model: 'zzz' }, 'Specified model not found: zzz.'],
  ])('MODEL_NOT_FOUND: %j', async (change, error) => {
    for (const stream of [false, true]) {
      const answer = await ask({ ...change, stream })
      expectRow(answer, { status: 404, body: { error, message: expect.any(String) }, left: 49 })
    }
  })

  it('MODEL_NOT_FOUND: one that ended', async () => {
    const error = 'The model `demo/gone` has been deprecated. Please use `demo/small`.'
    expectRow(await ask({ model: 'demo/gone' }), { status: 404, body: { error }, left: 49 })
  })

  it('CHARACTER_NOT_FOUND', async () => {
    const error = 'No character could be found from the provided character_slug'
    const answer = await ask({ venice_parameters: { character_slug: 'nobody' } })
    expectRow(answer, { status: 404, body: { error, message: expect.any(String) }, left: 49 })
  })

  it('a retired route, and one that never was', async () => {
    const gone = await call('GET', '/billing/usage', { key: null })
    expectRow(gone, { status: 410, body: { error: expect.stringContaining('/billing/usage-history') }, left: null })
    expectRow(await call('GET', '/nowhere'), { status: 404, body: { error: expect.any(String) }, left: null })
  })

  it('PAYLOAD_TOO_LARGE, before the budget is looked at', async () => {
    const body = {
      error: 'Request body exceeds the maximum allowed size.',
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('35 MiB'),
    }
    expectRow(await ask({ user: 'x'.repeat(36_700_161) }), { status: 413, body, left: null })
  })

  it.each([
    { 'content-encoding': 'gzip' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json;charset=latin1' },
  ])('INVALID_CONTENT_TYPE: %j', async headers => {
    const body = { error: 'Request encoding is not supported', message: expect.any(String) }
    expectRow(await ask({}, { headers }), { status: 415, body, left: null })
  })

  it.each([
    ['POST', '/api_keys'],
    ['PATCH', '/api_keys'],
    ['DELETE', '/api_keys'],
    ['POST', '/api_keys/generate_web3_key'],
    ['POST', '/augment/search'],
    ['POST', '/augment/scrape'],
  ])('INVALID_CONTENT_TYPE on every route that takes JSON: %s %s', async (method, path) => {
    const key = await newKey({ type: 'admin' })
    const send = (headers: Record<string, string>) => call(method, path, { key, body: '{"id":"é"}', headers })
    const undecodable = { error: 'Request encoding is not supported', message: expect.any(String) }
    for (const charset of ['utf-16', 'latin1', '"iso-8859-1"'])
      expect(await send({ 'content-type': `application/json; charset=${charset}` })).toMatchObject({
        status: 415,
        body: undecodable,
      })
    expect(await send({ 'content-encoding': 'gzip' })).toMatchObject({ status: 415, body: undecodable })
    const wrong = { status: 400, body: { error: "'Content-Type' must be 'application/json'" } }
    for (const type of ['text/plain', 'application/json; profile=x', 'application/json, text/plain'])
      expect(await send({ 'content-type': type })).toMatchObject(wrong)
    const { body } = await send({ 'content-type': 'application/json;charset="UTF-8"' })
    expect([body.error, body.details]).not.toContain('Request encoding is not supported')
  })
})
