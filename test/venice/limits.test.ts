import { describe, expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const gateway = useGateway({
  models: {
    'demo/small': { tier: 'S' },
    'demo/slow': { tier: 'L' },
    'demo/open': { tier: 'M', privacy: 'anonymized' },
    'demo/mute': { tier: 'XS' },
  },
  settings: {
    limits: {
      ...openLimits,
      tiers: {
        XS: { rpm: 'unlimited', tpm: 0 },
        S: { rpm: 75, tpm: 750_000 },
        L: { rpm: 1, tpm: 'unlimited' },
        M: { rpm: 'unlimited', tpm: 'unlimited' },
      },
    },
  },
  accounts: {
    boss: { credit: 12.5, key: { type: 'admin' } },
    tight: {
      key: {
        requestsPerMinute: 10,
        tokensPerMinute: 1_000_000,
        privacy: 'private_text',
        expiresAtMs: Date.UTC(2099, 0, 1),
      },
    },
    named: { key: { allowedModels: ['demo/open'] } },
    broke: { credit: 0 },
    hasty: { key: { type: 'admin' } },
  },
})

const call = adminClient(gateway, 'boss')
const limits = async (account: string) =>
  (await call('GET', '/api_keys/rate_limits', { key: gateway.account(account).key })).body.data

describe('GET /api/v1/api_keys/rate_limits: 200', () => {
  it('shows any key what the account has and how fast each model may be asked', async () => {
    const { status, body } = await call('GET', '/api_keys/rate_limits')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        accessPermitted: true,
        apiTier: { id: 'paid', isCharged: true },
        balances: { USD: 12.5, DIEM: 0, BUNDLED_CREDITS: 0 },
        keyExpiration: null,
        nextEpochBegins: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
        rateLimits: [
          {
            apiModelId: 'demo/small',
            rateLimits: [
              { type: 'RPM', amount: 75 },
              { type: 'TPM', amount: 750_000 },
            ],
          },
          { apiModelId: 'demo/slow', rateLimits: [{ type: 'RPM', amount: 1 }] },
          { apiModelId: 'demo/open', rateLimits: [] },
          { apiModelId: 'demo/mute', rateLimits: [{ type: 'TPM', amount: 0 }] },
        ],
      },
    })
    const beginsInMs = Date.parse(body.data.nextEpochBegins) - Date.now()
    expect(beginsInMs).toBeGreaterThan(-1_000)
    expect(beginsInMs).toBeLessThanOrEqual(86_400_000)
  })

  it('takes the key’s own rates where they end sooner, and leaves out what the key may not use', async () => {
    expect(await limits('tight')).toMatchObject({
      keyExpiration: '2099-01-01T00:00:00.000Z',
      rateLimits: [
        {
          apiModelId: 'demo/small',
          rateLimits: [
            { type: 'RPM', amount: 10 },
            { type: 'TPM', amount: 750_000 },
          ],
        },
        {
          apiModelId: 'demo/slow',
          rateLimits: [
            { type: 'RPM', amount: 1 },
            { type: 'TPM', amount: 1_000_000 },
          ],
        },
        {
          apiModelId: 'demo/mute',
          rateLimits: [
            { type: 'RPM', amount: 10 },
            { type: 'TPM', amount: 0 },
          ],
        },
      ],
    })
    expect((await limits('named')).rateLimits).toEqual([{ apiModelId: 'demo/open', rateLimits: [] }])
  })

  it('says so when the account cannot pay', async () => {
    expect(await limits('broke')).toMatchObject({ accessPermitted: false, balances: { USD: 0 } })
  })
})

describe('GET /api/v1/api_keys/rate_limits/log: 200', () => {
  it('lists the last fifty refusals of the account, the newest first, on whichever surface they were', async () => {
    const { key, keyId } = gateway.account('hasty')
    const log = async () => (await call('GET', '/api_keys/rate_limits/log', { key })).body
    expect(await log()).toEqual({ object: 'list', data: [] })
    const ask = (model: string) => gateway.client.chat({ model }, { key })
    expect((await ask('demo/slow')).status).toBe(200)
    for (let refusal = 0; refusal < 3; refusal += 1) expect((await ask('demo/slow')).status).toBe(429)
    const { data } = await log()
    expect(data).toHaveLength(3)
    expect(data[0]).toEqual({
      apiKeyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      modelId: 'demo/slow',
      rateLimitTier: 'paid',
      rateLimitType: 'RPM',
      timestamp: expect.stringMatching(/Z$/),
    })
    expect(data[0].apiKeyId.replaceAll('-', '')).toContain(keyId.slice(4, 16))
    const times = data.map(({ timestamp }: { timestamp: string }) => timestamp)
    expect(times).toEqual(times.toSorted().toReversed())
    await Promise.all(Array.from({ length: 60 }, () => ask('demo/slow')))
    expect((await log()).data).toHaveLength(50)
    expect((await call('GET', '/api_keys/rate_limits/log')).body.data).toEqual([])
  })

  it('tells tokens from requests', async () => {
    const { key } = gateway.account('hasty')
    expect((await gateway.client.chat({ model: 'demo/mute' }, { key })).status).toBe(429)
    const { data } = (await call('GET', '/api_keys/rate_limits/log', { key })).body
    expect(data[0]).toMatchObject({ modelId: 'demo/mute', rateLimitType: 'TPM' })
  })
})

describe('/api/v1/api_keys/rate_limits*: 401, 402, 405', () => {
  it.each(['/api_keys/rate_limits', '/api_keys/rate_limits/log'])('%s', async path => {
    expect((await call('GET', path, { key: null })).status).toBe(402)
    expect((await call('GET', path, { key: null, headers: { 'x-sign-in-with-x': 'e30=' } })).status).toBe(402)
    expect((await call('GET', path, { key: 'vk-unknown' })).status).toBe(401)
    expect((await call('POST', path, { body: {} })).status).toBe(405)
  })

  it('keeps the log for admin keys', async () => {
    const answer = await call('GET', '/api_keys/rate_limits/log', { key: gateway.account('broke').key })
    expect([answer.status, answer.body.error]).toEqual([401, 'Admin API key required'])
  })
})
