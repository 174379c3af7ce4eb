import { describe, expect, it } from 'vitest'
import { type Account, expectError, nanoOf, openLimits, useGateway } from '../support/gateway/index.ts'
import { answer, hang, status } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

const tiers = {
  XS: { rpm: 3, tpm: 'unlimited' },
  S: { rpm: 'unlimited', tpm: 30_000 },
  M: { rpm: 0, tpm: 'unlimited' },
  L: { rpm: 'unlimited', tpm: 'unlimited' },
} as const

const gateway = useGateway({
  models: {
    'test/requests': { tier: 'XS' },
    'test/requests-too': { tier: 'XS' },
    'test/tokens': { tier: 'S' },
    'test/none': { tier: 'M' },
    'test/open': { tier: 'L' },
  },
  settings: { limits: { ...openLimits, concurrencyPerAccount: 4, tiers } },
  accounts: {
    a: {},
    b: {},
    c: {},
    d: {},
    e: {},
    f: {},
    g: {},
    poor: { credit: 0 },
    capped: { key: { limitNano: nanoOf(0.002) } },
    'capped-month': { key: { limitNano: nanoOf(0.0015), period: 'month' } },
  },
})

const ask = (account: string | Account, model: string, body: object = {}) =>
  gateway.client.chat(
    { model, max_tokens: 10, ...body },
    { key: (typeof account === 'string' ? gateway.account(account) : account).key },
  )

describe('requests per minute', () => {
  it('admit so many and refuse the next with the wait, whatever its body', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('a', 'test/requests')))
    const refused = answers.filter(answered => answered.status !== 200)
    expect(refused).toHaveLength(2)
    for (const answered of refused) {
      expectError(answered, { status: 429, code: 'rate_limit_exceeded' })
      expect(Number(answered.headers['retry-after'])).toBeLessThanOrEqual(20)
    }
    expect(gateway.engine().requests).toHaveLength(3)
  })

  it('are shown in headers, on answers and on refusals', async () => {
    const seen = []
    for (let count = 0; count < 4; count += 1) seen.push((await ask('b', 'test/requests')).headers)
    expect(seen.map(headers => headers['x-ratelimit-limit-requests'])).toEqual(['3', '3', '3', '3'])
    expect(seen.map(headers => headers['x-ratelimit-remaining-requests'])).toEqual(['2', '1', '0', '0'])
    for (const headers of seen) {
      expect(headers['x-ratelimit-reset-requests']).toMatch(/^(\d+m)?\d+(\.\d+)?m?s$/)
      expect(headers).not.toHaveProperty('x-ratelimit-limit-tokens')
    }
  })

  it('hold for each account and each model by themselves, and for completions only', async () => {
    for (let count = 0; count < 3; count += 1) expect((await ask('c', 'test/requests')).status).toBe(200)
    expect((await ask('c', 'test/requests')).status).toBe(429)
    expect((await ask('c', 'test/requests-too')).status).toBe(200)
    expect((await ask('d', 'test/requests')).status).toBe(200)
    const { key } = gateway.account('c')
    for (const path of ['/v1/models', '/v1/credits', '/v1/key'])
      expect((await gateway.client.send(path, { key })).status).toBe(200)
  })

  it('count failures too', async () => {
    gateway.engine().always(status(500))
    for (let count = 0; count < 3; count += 1) expect((await ask('e', 'test/requests')).status).toBe(502)
    expect((await ask('e', 'test/requests')).status).toBe(429)
  })

  it('of zero admit nothing', async () => {
    expectError(await ask('a', 'test/none'), { status: 429, code: 'rate_limit_exceeded' })
    expect(gateway.engine().requests).toHaveLength(0)
  })

  it('are not used up by what is refused for its body, its model or its money', async () => {
    const { key } = gateway.account('f')
    await gateway.client.chat({ model: 'test/requests', messages: [] }, { key })
    await gateway.client.chat({ model: 'test/requests', n: 1_000 }, { key })
    await gateway.client.chat({ model: 'test/nothing' }, { key })
    expect((await ask('f', 'test/requests')).headers['x-ratelimit-remaining-requests']).toBe('2')
    for (let count = 0; count < 5; count += 1) {
      const poor = await ask('poor', 'test/requests')
      expectError(poor, { status: 402, code: 'insufficient_balance' })
    }
    await (await gateway.store()).credit('poor', 1)
    expect((await ask('poor', 'test/requests')).headers['x-ratelimit-remaining-requests']).toBe('2')
  })
})

describe('tokens per minute', () => {
  it('take the bound of a request, give back what was not used, and refuse what does not fit', async () => {
    const first = await ask('a', 'test/tokens', { max_tokens: 900 })
    expect(first.headers['x-ratelimit-limit-tokens']).toBe('30000')
    expect(Number(first.headers['x-ratelimit-remaining-tokens'])).toBeLessThan(30_000 - 900)
    const second = await ask('a', 'test/tokens', { max_tokens: 1 })
    // 21 tokens were used, 900 and the prompt's bytes were taken: most of it has come back.
    expect(Number(second.headers['x-ratelimit-remaining-tokens'])).toBeGreaterThan(29_000)
    const large = { n: 8, max_tokens: 1_000 }
    const burst = await Promise.all(Array.from({ length: 4 }, () => ask('a', 'test/tokens', large)))
    const refused = burst.filter(answered => answered.status !== 200)
    expect(refused).toHaveLength(1)
    for (const answered of refused) expectError(answered, { status: 429, code: 'rate_limit_exceeded' })
  })
})

describe('requests at a time', () => {
  it('admit so many, and another one as soon as one has ended', async () => {
    const { key } = gateway.account('g')
    gateway.engine().always(hang({ chunks: 1 }, answer({ text: ['a', ' b'] })))
    const readings = await Promise.all(
      Array.from({ length: 4 }, () => gateway.client.openStream({ model: 'test/open' }, { key })),
    )
    expect(readings.map(reading => reading.status)).toEqual([200, 200, 200, 200])
    const refused = await ask('g', 'test/open')
    expectError(refused, { status: 429, code: 'concurrency_exceeded' })
    expect(gateway.engine().requests).toHaveLength(4)
    readings[0]?.abort()
    gateway.engine().always(answer())
    await waitFor('a place', async () => (await ask('g', 'test/open')).status === 200)
    for (const reading of readings) reading.abort()
  })

  it('that are unlimited have no headers', async () => {
    const { headers } = await ask('d', 'test/open')
    expect(Object.keys(headers).filter(name => name.startsWith('x-ratelimit'))).toEqual([])
  })
})

describe('a key’s spending limit', () => {
  it.each(['capped', 'capped-month'])('%s stops the key while its account has money', async name => {
    const statuses: number[] = []
    let last = await ask(name, 'test/open', { max_tokens: 1_000 })
    for (let count = 0; count < 400 && last.status === 200; count += 1) {
      statuses.push(last.status)
      last = await ask(name, 'test/open', { max_tokens: 1_000 })
    }
    expect(statuses.length).toBeGreaterThan(10)
    expectError(last, { status: 402, code: 'key_limit_exceeded' })
    const { balanceNano } = await gateway.client.credits(gateway.account(name).key)
    expect(balanceNano).toBeGreaterThan(900_000_000_000n)
  })
})
