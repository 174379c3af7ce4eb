import { afterEach, describe, expect, it } from 'vitest'
import { eventsNamed, expectError, useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({
  engines: { main: {}, second: {} },
  models: { 'test/model': { engines: ['main', 'second'] }, 'test/alone': { engines: ['second'] } },
})

const path = (id: string) => `/admin/v1/engines/${id}/drain`
const asOperator = () => ({ key: gateway.secrets.operatorToken })
const drain = (id: string, body?: string) =>
  gateway.client.send(path(id), { ...asOperator(), method: 'POST', ...(body === undefined ? {} : { body }) })
const engines = (query = '') => gateway.client.send(`/admin/v1/engines${query}`, asOperator())
const statesOf = async () => {
  const { data } = (await engines()).json as { data: { id: string; state: string }[] }
  return Object.fromEntries(data.map(({ id, state }) => [id, state]))
}

afterEach(async () => {
  for (const id of ['main', 'second']) await drain(id, '{"drain":false}')
})

describe('POST /admin/v1/engines/{id}/drain', () => {
  it('takes a node out of service at once and answers with what is known of it', async () => {
    const answered = await drain('main', '{}')
    expect(answered.status).toBe(200)
    expect(answered.headers['cache-control']).toBe('private, no-store')
    expect(answered.json).toEqual({
      id: 'main',
      kind: 'openai',
      baseUrl: gateway.engine('main').url,
      state: 'draining',
      inFlight: 0,
      queued: 0,
      lastError: null,
    })
    expect(await statesOf()).toEqual({ main: 'draining', second: 'healthy' })
    await gateway.client.chat()
    expect([gateway.engine('main').requests.length, gateway.engine('second').requests.length]).toEqual([0, 1])
  })

  it('lets what runs on it end', async () => {
    gateway.engine('main').next(answer({ chunks: 10, everyMs: 50 }))
    const running = await gateway.client.openStream()
    await running.receive(2)
    expect((await drain('main')).json).toMatchObject({ state: 'draining', inFlight: 1 })
    expect(await running.ended).toBe('complete')
    expect(running.doneCount).toBe(1)
    await waitFor('the node to be idle', async () => (await engines()).text.includes('"inFlight":0'))
  })

  it('leaves a model without a node that could answer, which says so and costs nothing', async () => {
    await drain('second')
    const { balanceNano } = await gateway.client.credits()
    const refused = await gateway.client.chat({ model: 'test/alone' })
    const error = expectError(refused, { status: 503, code: 'no_capacity' })
    expect(error.message).toBe(
      'Every engine of this model was taken out of service by the operator. Ask for another model, or try again in 30 seconds.',
    )
    expect(refused.headers['retry-after']).toBe('30')
    expect(await gateway.client.credits()).toMatchObject({ balanceNano, availableNano: balanceNano })
  })

  it('takes it back with `{"drain": false}`, and can be repeated', async () => {
    for (const body of ['{"drain":true}', '{"drain":true}']) {
      expect((await drain('main', body)).json['state']).toBe('draining')
    }
    for (const body of ['{"drain":false}', '{"drain":false}']) {
      expect((await drain('main', body)).json['state']).toBe('healthy')
    }
  })

  it('writes who changed what into the log', async () => {
    const answered = await drain('main')
    await drain('main')
    const requestId = answered.headers['x-request-id']
    const line = await waitFor('the line', () =>
      eventsNamed(gateway.process.output, 'admin.changed').find(found => found['requestId'] === requestId),
    )
    const change = { who: 'operator', what: 'engine.drained', id: 'main', before: false, after: true }
    expect(line).toMatchObject({ level: 'info', ...change })
    const all = eventsNamed(gateway.process.output, 'admin.changed')
    expect(all.filter(({ before, after }) => before === after)).toEqual([])
  })

  it('holds over a restart', async () => {
    await drain('second')
    await gateway.process.stop()
    await gateway.serve()
    expect(await statesOf()).toMatchObject({ second: 'draining' })
  })

  it('is for the operator alone', async () => {
    for (const key of [null, gateway.account().key, 'rialto-operator-wrong']) {
      const refused = await gateway.client.send(path('main'), { method: 'POST', key })
      expectError(refused, { status: 401, code: 'invalid_api_key' })
      expectError(await gateway.client.send('/admin/v1/engines', { key }), { status: 401, code: 'invalid_api_key' })
    }
    expect(await statesOf()).toMatchObject({ main: 'healthy' })
  })

  it.each([
    ['an unknown node', 'nobody', '{}', 404, 'not_found', 'id'],
    ['an unknown key', 'main', '{"drained":true}', 400, 'unknown_key', 'drained'],
    ['a value that is no boolean', 'main', '{"drain":"yes"}', 400, 'invalid_value', 'drain'],
    ['null for a value', 'main', '{"drain":null}', 400, 'invalid_value', 'drain'],
    ['a list', 'main', '[]', 400, 'invalid_value', null],
    ['null', 'main', 'null', 400, 'invalid_value', null],
    ['broken JSON', 'main', '{"drain":', 400, 'invalid_json', null],
    ['a body that is too long', 'main', `{"drain":${' '.repeat(65_536)}true}`, 413, 'body_too_large', null],
  ])('refuses %s', async (_, id, body, status, code, param) => {
    expectError(await drain(id, body), { status, code, param })
    expect(await statesOf()).toMatchObject({ main: 'healthy' })
  })

  it('refuses other types of bodies, and other methods', async () => {
    const headers = { 'content-type': 'text/plain' }
    const typed = await gateway.client.send(path('main'), { ...asOperator(), method: 'POST', body: '{}', headers })
    expectError(typed, { status: 415, code: 'unsupported_content_type' })
    const got = await gateway.client.send(path('main'), asOperator())
    expectError(got, { status: 405, code: 'method_not_allowed' })
    expect(got.headers['allow']).toBe('POST')
    const posted = await gateway.client.send('/admin/v1/engines', { ...asOperator(), method: 'POST' })
    expectError(posted, { status: 405, code: 'method_not_allowed' })
  })
})

describe('GET /admin/v1/engines', () => {
  it('gives pages', async () => {
    const first = (await engines('?limit=1')).json
    expect(first).toMatchObject({ data: [{ id: 'main' }], next_cursor: 'main' })
    const second = (await engines(`?limit=1&cursor=${first['next_cursor']}`)).json
    expect(second).toMatchObject({ data: [{ id: 'second' }], next_cursor: null })
    expect((await engines('?limit=1000')).json).toMatchObject({ next_cursor: null })
  })

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2', 'cursor=nobody', 'limit='])(
    'refuses ?%s',
    async query => {
      expectError(await engines(`?${query}`), { status: 400, code: 'invalid_value', param: query.split('=')[0] ?? '' })
    },
  )
})
