import { describe, expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { expectRow } from '../support/venice/expect-row.ts'
import { freshCallers } from '../support/venice/fresh-callers.ts'

/* venice.md §4.2 and §5.4: money, rates, and the error budgets as they are unless the operator says otherwise. */

const unlimited = { rpm: 'unlimited', tpm: 'unlimited' } as const
const gateway = useGateway({
  models: { 'demo/small': { capabilities: { functionCalling: false } }, 'demo/rare': { tier: 'S' } },
  settings: {
    limits: {
      ...openLimits,
      errorBudget: {},
      tiers: { XS: unlimited, S: { rpm: 1, tpm: 'unlimited' }, M: unlimited, L: unlimited },
    },
  },
  accounts: { boss: { key: { type: 'admin' } } },
})
const { ask, call, open, newKey } = freshCallers(gateway, 'demo/small')
const strict = { mode: 'strict', key: { type: 'admin' } } as const

async function limitedKey(owner: string, consumptionLimit: object): Promise<string> {
  const body = { apiKeyType: 'INFERENCE', description: 'limited', consumptionLimit }
  return (await call('POST', '/api_keys', { key: owner, body })).body.data.apiKey
}

describe('402', () => {
  it('Discovery: no credentials, no headers of a budget', async () => {
    const path = '/api/v1/chat/completions'
    const payment = {
      x402Version: 2,
      error: 'Authentication required',
      resource: { url: `${gateway.url}${path}`, description: 'Inference API', mimeType: 'application/json' },
      accepts: [],
      extensions: {},
    }
    const apiKey = { header: 'Authorization: Bearer YOUR_API_KEY', getKey: gateway.url, docs: `${gateway.url}/docs` }
    const refused = await ask({}, { key: null })
    expectRow(refused, {
      status: 402,
      body: { ...payment, authOptions: { apiKey } },
      left: null,
      headers: { 'payment-required': Buffer.from(JSON.stringify(payment)).toString('base64') },
    })
  })

  it('INSUFFICIENT_BALANCE', async () => {
    const { key } = await open({ credit: 0, ...strict })
    const body = {
      error: `Insufficient USD or Diem balance to complete request. Visit ${gateway.url} to add credits.`,
      code: 'INSUFFICIENT_BALANCE',
      message: expect.stringContaining('$0.00 available'),
    }
    const headers = { 'x-venice-balance-usd': '0', 'x-balance-remaining': '0.000000', 'x-ratelimit-type': 'user' }
    for (const [stream, left] of [
      [false, 49],
      [true, 48],
    ] as const)
      expectRow(await ask({ stream }, { key }), { status: 402, body, left, headers })
  })

  it.each([
    ['USD', { usd: 0 }],
    ['DIEM', { diem: 0 }],
  ])('API_KEY_%s_SPEND_LIMIT_EXCEEDED', async (currency, limit) => {
    const { key, name } = await open(strict)
    if (currency === 'DIEM') await (await gateway.store()).allow(name, '5')
    const body = {
      error: `API key ${currency} spend limit exceeded. Your account may still have funds; raise the limit of this key.`,
      code: `API_KEY_${currency}_SPEND_LIMIT_EXCEEDED`,
      message: expect.any(String),
    }
    expectRow(await ask({}, { key: await limitedKey(key, limit) }), { status: 402, body, left: 49 })
  })
})

describe('429', () => {
  it('RATE_LIMIT_EXCEEDED, which counts in no budget', async () => {
    const key = await newKey()
    expect((await ask({ model: 'demo/rare' }, { key })).status).toBe(200)
    const body = {
      error: 'Rate limit exceeded',
      code: 'RATE_LIMIT_EXCEEDED',
      message: expect.stringContaining('at most 1 per minute'),
    }
    const headers = {
      'x-ratelimit-limit-requests': '1',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-type': 'user',
    }
    expectRow(await ask({ model: 'demo/rare' }, { key }), { status: 429, body, left: 50, retryAfter: /^\d+$/, headers })
  })

  it('too many at a time', async () => {
    const key = await newKey({ concurrency: 1 })
    gateway.engine().next(answer({ chunks: 100, everyMs: 100 }))
    const running = await gateway.client.openStream({ model: 'demo/small' }, { key })
    await running.receive(1)
    const body = { error: 'Too many concurrent requests', message: expect.stringContaining('at most 1') }
    expectRow(await ask({}, { key }), { status: 429, body, left: 50, retryAfter: /^\d+$/ })
    running.abort()
    await running.ended
  })

  it.each([
    [50, { temperature: 9 }],
    [200, { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ])('the error budget of %i', async (allowed, bad) => {
    const key = await newKey()
    const failures = await Promise.all(Array.from({ length: allowed }, () => ask(bad, { key })))
    expect(failures.filter(({ status }) => status !== 400)).toEqual([])
    const error =
      `Too many failed attempts (> ${allowed}) resulting in a non-success status code. ` +
      `Please wait 30 seconds and try again. See ${gateway.url}/docs for more information.`
    const body = { error, message: expect.any(String) }
    for (const change of [bad, {}])
      expectRow(await ask(change, { key }), { status: 429, body, left: 0, retryAfter: /^([1-9]|[12]\d|30)$/ })
  })
})
