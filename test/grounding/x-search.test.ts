import { describe, expect, it } from 'vitest'
import { chunksOf, nanoOf, priceOf } from '../support/gateway/index.ts'
import { status } from '../support/mock-engine/index.ts'
import { useSearchGateway } from './search-gateway.ts'

const xSearch = { search_parameters: { mode: 'on', sources: [{ type: 'x' }] } }
const { gateway, web } = useSearchGateway({
  engines: { main: {}, grok: { xSearch } },
  models: {
    'test/model': {},
    'test/grok': { engines: ['main', 'grok'], capabilities: { xSearch: true } },
    'test/declared': { engines: ['main'], capabilities: { xSearch: true } },
    'test/undeclared': { engines: ['grok'] },
  },
})

const path = '/api/v1/chat/completions'
const answerCost = priceOf({ prompt: 16, completion: 5 })
const feeNano = 10_000_000n

function bodyFor(model: string, enable_x_search = true) {
  const venice_parameters = { include_venice_system_prompt: false, enable_x_search }
  return { model, messages: [{ role: 'user', content: 'What do people say today?' }], venice_parameters }
}

async function ask(model: string, enabled?: boolean) {
  const { status: code, json } = await gateway.client.send(path, {
    method: 'POST',
    body: JSON.stringify(bodyFor(model, enabled)),
  })
  expect([code, json]).toEqual([200, expect.anything()])
  const { enable_x_search: echo } = json['venice_parameters'] as { enable_x_search: boolean }
  return { echo, cost: nanoOf((json['cost'] as { usd: number }).usd), id: json.id ?? '' }
}

describe('a search of X', () => {
  it('is left to the engine that declares it, in its own words, for the fee of a search', async () => {
    const before = await gateway.client.credits()
    const { echo, cost, id } = await ask('test/grok')
    expect([echo, cost]).toEqual([true, answerCost + feeNano])
    expect(gateway.engine('grok').requests.at(-1)?.body).toMatchObject(xSearch)
    expect(gateway.engine('main').requests).toEqual([])
    expect((await gateway.client.credits()).usedNano - before.usedNano).toBe(cost)
    const generation = await gateway.client.generation(id)
    expect(generation).toMatchObject({ cost_details: { web_search_cost: 0.01 } })
    expect(nanoOf(generation?.hold ?? 0)).toBeGreaterThanOrEqual(cost)
  })

  it('is paid with a stream too', async () => {
    const chunks = chunksOf(await gateway.client.stream(bodyFor('test/grok'), { path }))
    expect(gateway.engine('grok').requests.at(-1)?.body).toMatchObject(xSearch)
    expect(chunks.find(chunk => 'cost' in chunk)).toMatchObject({ cost: { usd: 0.01 + Number(answerCost) / 1e9 } })
  })

  it.each([
    ['a search of the web that finds nothing', 'on', 'What do people say today?', [], 1],
    ['one that `auto` decides against', 'auto', 'Write a poem about the sea.', [], 1],
    ['one whose results enter the prompt', 'on', 'What do people say today?', ['https://a.example/'], 2],
  ])('is paid beside %s', async (_, enable_web_search, content, urls, fees) => {
    const results = urls.map(url => ({ url, title: 'Title', content: 'Text' }))
    web().behave({ kind: 'body', body: JSON.stringify({ results }) })
    const { venice_parameters, ...body } = bodyFor('test/grok')
    const settings = { ...venice_parameters, enable_web_search }
    const { json } = await gateway.client.send(path, {
      method: 'POST',
      body: JSON.stringify({ ...body, messages: [{ role: 'user', content }], venice_parameters: settings }),
    })
    expect(nanoOf((json['cost'] as { usd: number }).usd)).toBe(answerCost + BigInt(fees) * feeNano)
    const generation = await gateway.client.generation(json.id ?? '')
    expect(nanoOf(generation?.hold ?? 0)).toBeGreaterThanOrEqual(answerCost + BigInt(fees) * feeNano)
  })

  it.each([
    ['a model without the capability', 'test/undeclared'],
    ['a model whose engines do not declare it', 'test/declared'],
  ])('is ignored for %s, and the answer says so', async (_, model) => {
    expect(await ask(model)).toMatchObject({ echo: false, cost: answerCost })
    const bodies = ['main', 'grok'].flatMap(id => gateway.engine(id).requests.map(({ body }) => body))
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).not.toHaveProperty('search_parameters')
  })

  it('is not made for whom did not ask for it', async () => {
    expect(await ask('test/grok', false)).toMatchObject({ echo: false, cost: answerCost })
  })

  it('is free where no engine answers', async () => {
    gateway.engine('grok').always(status(400))
    const before = await gateway.client.credits()
    const body = JSON.stringify(bodyFor('test/grok'))
    expect((await gateway.client.send(path, { method: 'POST', body })).status).toBe(400)
    expect((await gateway.client.credits()).usedNano).toBe(before.usedNano)
  })
})
