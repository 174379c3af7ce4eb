import { describe, expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { answer, hang, status } from '../support/mock-engine/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'
import { waitFor } from '../support/wait-for.ts'

const failed = 5
const unsupported = 8
const windowSeconds = 300

const gateway = useGateway({
  models: {
    'demo/small': { compatibility: ['gpt-small'], capabilities: { functionCalling: false } },
    'demo/other': {},
  },
  settings: { limits: { ...openLimits, errorBudget: { failed, unsupported, windowSeconds } } },
  accounts: {
    boss: { key: { type: 'admin' } },
    manager: { key: { type: 'admin' } },
    reader: { key: { type: 'admin' } },
    ...Object.fromEntries(
      ['plain', 'users', 'tools', 'engine', 'uncounted', 'poor', 'headers', 'sender'].map(name => [name, {}]),
    ),
  },
})

const call = adminClient(gateway, 'boss')
const hello = { model: 'demo/small', messages: [{ role: 'user', content: 'Hi' }] }
const ask = (account: string, change: object = {}) =>
  call('POST', '/chat/completions', { key: gateway.account(account).key, body: { ...hello, ...change } })
const bad = { temperature: 9 }
const tools = { tools: [{ type: 'function', function: { name: 'f' } }] }

async function statusesOf(times: number, run: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) statuses.push((await run()).status)
  return statuses
}
const all = (times: number, code: number) => Array.from({ length: times }, () => code)

function budgetText(allowed: number): string {
  return (
    `Too many failed attempts (> ${allowed}) resulting in a non-success status code. ` +
    `Please wait ${windowSeconds} seconds and try again. See http://127.0.0.1`
  )
}

describe('POST /api/v1/chat/completions: 429 when the error budget is used up', () => {
  it('answers the first failures as what they are, and everything of the bucket afterwards with the wait', async () => {
    expect(await statusesOf(failed, () => ask('plain', bad))).toEqual(all(failed, 400))
    for (const change of [bad, {}, { model: 'gpt-small' }, { model: 'DEMO/small:disable_thinking=true' }]) {
      const { status: code, body, headers } = await ask('plain', change)
      expect(code).toBe(429)
      expect(body.error).toContain(budgetText(failed))
      expect(headers['x-ratelimit-remaining']).toBe('0')
      expect(Number(headers['x-ratelimit-resets'])).toBeGreaterThan(Date.now())
      expect(Number(headers['x-ratelimit-resets'])).toBeLessThanOrEqual(Date.now() + windowSeconds * 1_000)
      expect(headers['retry-after']).toBe('60')
    }
    expect((await ask('plain', { model: 'demo/other' })).status).toBe(200)
    expect((await ask('plain', { user: 'somebody' })).status).toBe(200)
    expect((await call('POST', '/chat/completions', { body: hello })).status).toBe(200)
    expect((await gateway.client.chat({ model: 'demo/small' }, { key: gateway.account('plain').key })).status).toBe(200)
  })

  it('counts each of the caller’s own users apart, and whatever is no text as none', async () => {
    expect(await statusesOf(failed, () => ask('users', { ...bad, user: 'one' }))).toEqual(all(failed, 400))
    expect((await ask('users', { user: 'one' })).status).toBe(429)
    expect((await ask('users', { user: 'two' })).status).toBe(200)
    expect((await ask('users', { ...bad, user: ['one'] })).headers['x-ratelimit-remaining']).toBe(String(failed - 1))
    expect((await ask('users', { ...bad, user: 'x'.repeat(100_000) })).status).toBe(400)
  })

  it('counts what a model cannot do in a larger budget of its own', async () => {
    expect(await statusesOf(unsupported, () => ask('tools', tools))).toEqual(all(unsupported, 400))
    const { status: code, body } = await ask('tools')
    expect([code, body.error]).toEqual([429, expect.stringContaining(budgetText(unsupported))])
  })

  it('counts what an engine refuses there too', async () => {
    gateway.engine().always(status(400, { body: { error: { message: 'no' } } }))
    expect(await statusesOf(unsupported, () => ask('engine'))).toEqual(all(unsupported, 400))
    expect((await ask('engine')).status).toBe(429)
  })

  it('counts neither failures of ours, nor what is refused before anybody looks at a budget', async () => {
    const key = gateway.account('uncounted').key
    const send = (options: object) => call('POST', '/chat/completions', { key, ...options })
    const tries: readonly (readonly [number, () => Promise<{ status: number }>])[] = [
      [402, () => send({ key: null, body: hello })],
      [400, () => send({ body: '{' })],
      [400, () => send({ body: '{"model":"a","model":"b"}' })],
      [400, () => send({ body: hello, headers: { 'content-type': 'text/plain' } })],
      [401, () => send({ key: 'vk-nobody', body: hello })],
      [405, () => send({}).then(() => call('GET', '/chat/completions', { key }))],
    ]
    for (const [code, run] of tries) expect(await statusesOf(failed + 1, run)).toEqual(all(failed + 1, code))
    gateway.engine().always(status(500))
    const statuses = await statusesOf(failed + 1, () => ask('uncounted'))
    expect(statuses.every(code => code >= 500)).toBe(true)
    gateway.engine().always(answer())
    const sound = await ask('uncounted', { model: 'demo/other' })
    expect(sound.headers['x-ratelimit-remaining']).toBe(String(failed))
  })

  it('counts nobody who leaves before there is an answer', async () => {
    const { key } = await gateway.openAccount('impatient')
    gateway.engine().always(hang('before-headers'))
    for (const stream of [true, false, true, false, true, false]) {
      const asked = gateway.engine().requests.length
      const leaving = new AbortController()
      const options = { method: 'POST', signal: leaving.signal, body: JSON.stringify({ ...hello, stream }) }
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const left = fetch(`${gateway.url}/api/v1/chat/completions`, { ...options, headers }).catch(() => 'left')
      await waitFor('the engine to be asked', () => gateway.engine().requests.length > asked)
      leaving.abort()
      expect(await left).toBe('left')
    }
    gateway.engine().always(answer())
    await waitFor('all to be settled', async () => {
      const { balanceNano, availableNano } = await gateway.client.credits(key)
      return balanceNano === availableNano
    })
    const next = await call('POST', '/chat/completions', { key, body: hello })
    expect([next.status, next.headers['x-ratelimit-remaining']]).toEqual([200, String(failed)])
  })

  it('counts unknown models together, whatever they are called', async () => {
    let number = 0
    const unknown = () => ask('sender', { model: `nobody-${++number}` })
    expect(await statusesOf(failed, unknown)).toEqual(all(failed, 404))
    expect((await unknown()).status).toBe(429)
    expect((await ask('sender')).status).toBe(200)
  })

  it('shows what is left and when it begins anew', async () => {
    const before = Date.now()
    const first = await ask('headers')
    expect(first.headers['x-ratelimit-remaining']).toBe(String(failed))
    const second = await ask('headers', bad)
    expect(second.headers['x-ratelimit-remaining']).toBe(String(failed - 1))
    const resets = Number(second.headers['x-ratelimit-resets'])
    expect(resets).toBeGreaterThanOrEqual(before + windowSeconds * 1_000)
    expect(resets).toBeLessThanOrEqual(Date.now() + windowSeconds * 1_000)
    expect((await ask('headers')).headers).toMatchObject({
      'x-ratelimit-remaining': String(failed - 1),
      'x-ratelimit-resets': String(resets),
    })
  })
})

describe('the other addresses of /api/v1: 429 when the error budget is used up', () => {
  it('have buckets of their own: one for all that manages keys', async () => {
    const key = gateway.account('manager').key
    const ways = [
      () => call('GET', '/api_keys/00000000-0000-4000-8000-000000000000', { key }),
      () => call('POST', '/api_keys', { key, body: {} }),
      () => call('PATCH', '/api_keys', { key, body: { id: 'x' } }),
      () => call('DELETE', '/api_keys?id=x', { key }),
      () => call('POST', '/api_keys', { key, body: { apiKeyType: 'X' } }),
    ]
    for (const way of ways) expect((await way()).status).toBe(400)
    for (const way of [...ways, () => call('GET', '/api_keys', { key })]) {
      const { status: code, body } = await way()
      expect([code, body.error]).toEqual([429, expect.stringContaining(budgetText(failed))])
    }
    expect((await call('GET', '/api_keys/rate_limits', { key })).status).toBe(200)
    expect((await call('GET', '/characters', { key })).status).toBe(200)
    expect((await call('POST', '/chat/completions', { key, body: hello })).status).toBe(200)
  })

  it('count an inference key where an admin key is needed, and bad queries', async () => {
    const inference = gateway.account('poor').key
    const look = () => call('GET', '/billing/balance', { key: inference })
    expect(await statusesOf(failed + 1, look)).toEqual([...all(failed, 401), 429])
    const key = gateway.account('reader').key
    const search = () => call('GET', '/characters?limit=1000', { key })
    expect(await statusesOf(failed + 1, search)).toEqual([...all(failed, 400), 429])
    expect((await call('GET', '/characters/nobody', { key })).headers['x-ratelimit-remaining']).toBe(String(failed - 1))
    expect((await call('GET', '/billing/balance', { key })).headers['x-ratelimit-remaining']).toBe(String(failed))
  })
})

describe('GET /api/v1/api_keys/rate_limits/log', () => {
  it('lists what an error budget refused', async () => {
    const { key } = await gateway.openAccount('logged', { key: { type: 'admin' } })
    const send = (change: object) => call('POST', '/chat/completions', { key, body: { ...hello, ...change } })
    for (let count = 0; count <= failed; count++) await send(bad)
    for (let count = 0; count <= unsupported; count++) await send({ ...tools, user: 'u' })
    for (let count = 0; count <= failed; count++) await send({ model: 'nobody' })
    for (let count = 0; count <= failed; count++) await call('GET', '/characters?limit=1000', { key })
    const { data } = (await call('GET', '/api_keys/rate_limits/log', { key })).body
    expect(data.map(({ modelId, rateLimitType }: Record<string, string>) => [modelId, rateLimitType])).toEqual([
      ['endpoint:api/v1/characters', 'FAILED_REQUESTS'],
      ['model:unknown', 'FAILED_REQUESTS'],
      ['demo/small', 'UNSUPPORTED_FEATURE_REQUESTS'],
      ['demo/small', 'FAILED_REQUESTS'],
    ])
  })
})
