import { describe, expect, it } from 'vitest'
import { expectError, nanoOf, priceOf, testPricing, useGateway } from '../support/gateway/index.ts'

const gateway = useGateway({
  models: {
    'test/model': {},
    'test/free': { free: true },
    'test/able': {
      capabilities: { functionCalling: true, responseSchema: true, vision: true, reasoning: true, logProbs: true },
      contextTokens: 4_096,
      maxOutputTokens: 512,
    },
  },
  accounts: { other: {}, limited: { key: { limitNano: nanoOf(2.5), period: 'month' } } },
})

const operator = () => ({ key: gateway.secrets.operatorToken })

describe('GET /v1/models', () => {
  it('lists every model with limits, capabilities and prices, without credentials', async () => {
    const { status, json } = await gateway.client.send('/v1/models', { key: null })
    expect([status, json['object']]).toEqual([200, 'list'])
    const models = json.data as Record<string, unknown>[]
    expect(models.map(({ id }) => id)).toEqual(['test/model', 'test/free', 'test/able'])
    expect(models[0]).toMatchObject({
      object: 'model',
      created: expect.any(Number),
      owned_by: 'rialto',
      context_length: 100_000,
      max_output_tokens: 1_000,
      free: false,
      capabilities: ['web_search'],
    })
    expect(models[1]).toMatchObject({ free: true })
    expect(models[2]).toMatchObject({
      context_length: 4_096,
      max_output_tokens: 512,
      capabilities: ['json', 'json_schema', 'tools', 'vision', 'reasoning', 'logprobs', 'web_search'],
    })
  })

  it('prices are decimal texts, USD per token, exactly', async () => {
    const { json } = await gateway.client.send('/v1/models/test/model', { key: null })
    const perToken = (usdPerMillion: number) =>
      `0.${String(nanoOf(usdPerMillion)).padStart(15, '0')}`.replace(/0+$/, '')
    expect(json['pricing']).toMatchObject({
      prompt: perToken(testPricing.inputUsdPerMTok),
      completion: perToken(testPricing.outputUsdPerMTok),
      input_cache_read: perToken(testPricing.cacheReadUsdPerMTok),
      input_cache_write: perToken(testPricing.cacheWriteUsdPerMTok),
      web_search: '0.01',
      web_page: '0.01',
    })
    for (const price of Object.values(json['pricing'] as object)) expect(price).toMatch(/^\d+(\.\d+)?$/)
  })

  it.each(['/v1/models/test/model', '/v1/models/test%2Fmodel'])('%s is one model', async path => {
    const { status, json } = await gateway.client.send(path, { key: null })
    expect([status, json.id]).toEqual([200, 'test/model'])
  })

  it('an unknown one is a 404 that suggests another', async () => {
    const answer = await gateway.client.send('/v1/models/test/modell', { key: null })
    expect(expectError(answer, { status: 404, code: 'model_not_found' }).message).toContain('test/model')
  })
})

describe('GET /v1/credits', () => {
  it('adds up: credits − usage = balance, to the nano-USD', async () => {
    const { key } = gateway.account('other')
    const answer = await gateway.client.chat({}, { key })
    const { creditedNano, usedNano, balanceNano, availableNano } = await gateway.client.credits(key)
    expect(creditedNano).toBe(nanoOf(1_000))
    expect(usedNano).toBe(nanoOf(answer.json.usage?.cost ?? -1))
    expect(balanceNano).toBe(creditedNano - usedNano)
    expect(availableNano).toBe(balanceNano)
  })
})

describe('GET /v1/key', () => {
  it('shows a key without a limit', async () => {
    const { json } = await gateway.client.send('/v1/key')
    expect(json.data).toMatchObject({
      type: 'inference',
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      expires_at: null,
    })
    expect(json.data).toHaveProperty('rate_limit')
  })

  it('shows what is spent and what is left of a limit', async () => {
    const { key } = gateway.account('limited')
    const cost = (await gateway.client.chat({}, { key })).json.usage?.cost ?? -1
    const data = (await gateway.client.send('/v1/key', { key })).json.data as Record<string, number>
    expect(data).toMatchObject({ limit: 2.5, limit_reset: 'monthly' })
    for (const name of ['usage', 'usage_daily', 'usage_weekly', 'usage_monthly']) {
      expect([name, nanoOf(data[name] ?? -1)]).toEqual([name, nanoOf(cost)])
    }
    expect(nanoOf(data['limit_remaining'] ?? -1)).toBe(nanoOf(2.5) - nanoOf(cost))
  })
})

describe('GET /v1/generation', () => {
  it('names the node to the operator and not to the caller', async () => {
    const id = String((await gateway.client.chat()).headers['x-generation-id'])
    expect(await gateway.client.generation(id)).toMatchObject({ id, provider_name: null })
    expect(await gateway.client.generation(id, operator())).toMatchObject({ id, provider_name: 'main' })
  })

  it('answers a foreign id exactly as an unknown one', async () => {
    const id = String((await gateway.client.chat()).headers['x-generation-id'])
    const ask = (asked: string) =>
      gateway.client.send(`/v1/generation?id=${asked}`, { key: gateway.account('other').key })
    const [foreign, unknown] = [await ask(id), await ask(id.replace(/.$/, last => (last === '0' ? '1' : '0')))]
    expectError(foreign, { status: 404, code: 'not_found' })
    expect(foreign.text).toBe(unknown.text)
    const pick = ({ headers }: typeof foreign) => ({ ...headers, 'x-request-id': '', date: '' })
    expect(pick(foreign)).toEqual(pick(unknown))
  })

  it.each(['', '?id=', '?id=a&id=b', `?id=${'x'.repeat(500)}`, "?id='%20OR%201=1"])('%s is refused', async query => {
    const answer = await gateway.client.send(`/v1/generation${query}`)
    expect([400, 404]).toContain(answer.status)
    expect(answer.json.error?.type).toBe('invalid_request_error')
  })

  it('balances before and after are those of the ledger', async () => {
    const before = await gateway.client.credits()
    const answer = await gateway.client.chat()
    const generation = await gateway.client.generation(answer.json.id ?? '')
    expect(nanoOf(Number(generation?.['balance_before']))).toBe(before.balanceNano)
    expect(nanoOf(Number(generation?.['balance_after']))).toBe(
      before.balanceNano - priceOf({ prompt: 16, completion: 5 }),
    )
  })
})

describe('other addresses', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v2/chat/completions',
    '/v1/chat/completions/more',
    '/admin/v1/nothing',
  ])('%s is not found, in the error shape', async path => {
    expectError(await gateway.client.send(path), { status: 404, code: 'not_found' })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s on a route that is only read is refused with what is allowed',
    async method => {
      for (const path of ['/v1/models', '/v1/models/test/model', '/v1/credits', '/v1/key', '/v1/generation']) {
        const answer = await gateway.client.send(path, { method })
        expectError(answer, { status: 405, code: 'method_not_allowed' })
        expect(answer.headers.allow).toContain('GET')
      }
    },
  )

  it.each(['/v1/credits', '/v1/key', '/v1/generation?id=x'])('%s without a key is a 401', async path => {
    expectError(await gateway.client.send(path, { key: null }), { status: 401, code: 'invalid_api_key' })
  })
})

describe('CORS', () => {
  it('the public API may be called from anywhere, without credentials', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const preflight = await gateway.client.send('/v1/chat/completions', { method: 'OPTIONS', key: null, headers })
    expect(preflight.status).toBe(204)
    for (const { headers: seen } of [preflight, await gateway.client.chat({}, { headers })]) {
      expect(seen['access-control-allow-origin']).toBe('*')
      expect(seen).not.toHaveProperty('access-control-allow-credentials')
    }
    expect(preflight.headers['access-control-allow-headers']).toMatch(/authorization/i)
  })

  it.each(['/admin/v1/accounts', '/metrics', '/health/ready'])('%s may not', async path => {
    const { headers } = await gateway.client.send(path, { headers: { origin: 'https://app.example' } })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('health and metrics', () => {
  it('live and ready are open, with detail for the operator only', async () => {
    const live = await gateway.client.send('/health/live', { key: null })
    const ready = await gateway.client.send('/health/ready', { key: null })
    expect([live.status, ready.status]).toEqual([200, 200])
    expect(ready.text).not.toContain('main')
    expect(JSON.stringify((await gateway.client.send('/health/ready', operator())).json)).toContain('main')
  })

  it('metrics need the operator’s token, count what happened, and name no key or account', async () => {
    expectError(await gateway.client.send('/metrics'), { status: 401, code: 'invalid_api_key' })
    await gateway.client.chat()
    const { status, text } = await gateway.client.send('/metrics', operator())
    expect(status).toBe(200)
    expect(text).toMatch(/rialto_completions_total\{[^}]*outcome="done"[^}]*\} [1-9]/)
    const { id, key, keyId } = gateway.account()
    for (const secret of [id, key, keyId, gateway.secrets.prompt]) expect(text).not.toContain(secret)
  })
})
