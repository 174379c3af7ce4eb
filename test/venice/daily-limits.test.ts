import { expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const unlimited = { rpm: 'unlimited', tpm: 'unlimited' } as const

const gateway = useGateway({
  models: { 'demo/daily': { tier: 'S' }, 'demo/closed': { tier: 'M' }, 'demo/open': { tier: 'L' } },
  settings: {
    limits: {
      ...openLimits,
      tiers: { XS: unlimited, S: { ...unlimited, rpd: 2 }, M: { ...unlimited, rpd: 0 }, L: unlimited },
    },
  },
  accounts: {
    boss: { credit: 12.5, key: { type: 'admin' } },
    bound: { credit: 12.5, key: { type: 'admin', requestsPerDay: 1 } },
  },
})

const call = adminClient(gateway, 'boss')
const ask = (model: string) =>
  call('POST', '/chat/completions', { body: { model, messages: [{ role: 'user', content: 'Hi' }] } })

it('shows a bound of the day among the rates, and none where none is', async () => {
  expect((await call('GET', '/api_keys/rate_limits')).body.data.rateLimits).toEqual([
    { apiModelId: 'demo/daily', rateLimits: [{ type: 'RPD', amount: 2 }] },
    { apiModelId: 'demo/closed', rateLimits: [{ type: 'RPD', amount: 0 }] },
    { apiModelId: 'demo/open', rateLimits: [] },
  ])
})

it('refuses what is above the bound on both surfaces, says when the next day begins, and lists it', async () => {
  const { key } = gateway.account('boss')
  const statuses = [
    await ask('demo/daily'),
    await ask('demo/open'),
    await gateway.client.chat({ model: 'demo/daily' }, { key }),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200])
  const refused = await ask('demo/daily')
  const { status, body, headers } = refused
  expect(status).toBe(429)
  expect(body).toEqual({
    error: 'Rate limit exceeded',
    code: 'RATE_LIMIT_EXCEEDED',
    message: expect.stringMatching(
      /^Too many requests to demo\/daily: at most 2 per day\. The next day begins in \d+ minutes?, at \d{4}-\d\d-\d\dT00:00:00\.000Z\.$/,
    ),
  })
  const { 'retry-after': retryAfter, 'x-should-retry': shouldRetry } = headers
  expect(Number(retryAfter)).toBeGreaterThan(0)
  expect(shouldRetry).toBe('false')
  expect((await gateway.client.chat({ model: 'demo/daily' }, { key })).status).toBe(429)
  const { data } = (await call('GET', '/api_keys/rate_limits/log')).body
  expect(data).toHaveLength(2)
  expect(data[0]).toMatchObject({ modelId: 'demo/daily', rateLimitType: 'RPD' })
})

it('admits nothing where the bound is 0, and says that waiting does not help', async () => {
  const { status, body } = await ask('demo/closed')
  expect(status).toBe(429)
  expect(body.message).toBe('Too many requests to demo/closed: at most 0 per day. Trying again does not help.')
})

it("bounds a key's own day over all models and both surfaces, and shows the lower of the two bounds", async () => {
  const { key } = gateway.account('bound')
  const callBound = adminClient(gateway, 'bound')
  const { data } = (await callBound('GET', '/api_keys/rate_limits')).body
  expect(data.rateLimits.map((entry: { rateLimits: unknown }) => entry.rateLimits)).toEqual([
    [{ type: 'RPD', amount: 1 }],
    [{ type: 'RPD', amount: 0 }],
    [{ type: 'RPD', amount: 1 }],
  ])
  const ofKey = JSON.parse((await gateway.client.send('/v1/key', { key })).text)
  expect(ofKey.data.rate_limit).toMatchObject({ requests_per_day: 1 })
  expect((await gateway.client.chat({ model: 'demo/open' }, { key })).status).toBe(200)
  const refused = await callBound('POST', '/chat/completions', {
    body: { model: 'demo/daily', messages: [{ role: 'user', content: 'Hi' }] },
  })
  expect([refused.status, refused.body.message]).toEqual([
    429,
    expect.stringMatching(
      /^Too many requests with this API key: at most 1 per day\. The next day begins in \d+ minutes?, /,
    ),
  ])
  const { body: log } = await callBound('GET', '/api_keys/rate_limits/log')
  expect(log.data).toMatchObject([{ modelId: 'demo/daily', rateLimitType: 'RPD' }])
})
