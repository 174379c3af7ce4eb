import { describe, expect, it } from 'vitest'
import { chunksOf, nanoOf, priceOf } from '../support/gateway/index.ts'
import { dataUrl, makePicture } from '../support/media/pictures.ts'
import { sentMessages, useSearchGateway } from './search-gateway.ts'

const { gateway, web } = useSearchGateway({
  models: {
    'test/model': { capabilities: { vision: true } },
    'test/plain': { capabilities: { webSearch: false } },
  },
})

const answerCost = priceOf({ prompt: 16, completion: 5 })
const question = 'What shipped in the latest Postgres release?'
const picture = dataUrl('image/png', await makePicture('png'))
const withImage = [
  { type: 'text', text: question },
  { type: 'image_url', image_url: { url: picture } },
]

const online = (model: string, content: unknown) => ({
  model: `${model}:online`,
  messages: [{ role: 'user', content }],
})

async function askStrict(model: string, content: unknown, settings: object) {
  const venice_parameters = { include_venice_system_prompt: false, ...settings }
  const body = JSON.stringify({ model, messages: [{ role: 'user', content }], venice_parameters })
  const { status, json } = await gateway.client.send('/api/v1/chat/completions', { method: 'POST', body })
  expect([status, json]).toEqual([200, expect.anything()])
  return { echo: json['venice_parameters'] as Record<string, unknown>, cost: (json['cost'] as { usd: number }).usd }
}

describe.each([
  ['where the last question holds an image', 'test/model', withImage, 'image'],
  ['for a model that takes nothing from the web', 'test/plain', question, 'unsupported'],
])('nothing is searched for %s', (_, model, content, error) => {
  it('and the answer says why to whoever asked for it outright, whole and streamed', async () => {
    const asked = web().questions.length
    const { status, json } = await gateway.client.chat(online(model, content))
    expect([status, json['venym']]).toEqual([200, { search_error: error }])
    expect(json.usage?.cost_details).toMatchObject({ web_search_cost: 0 })
    const chunks = chunksOf(await gateway.client.stream({ ...online(model, content), stream: true }))
    expect(chunks.at(-1)).toMatchObject({ venym: { search_error: error } })
    const { echo } = await askStrict(model, content, { enable_web_search: 'on' })
    expect(echo).toMatchObject({ search_error: error, web_search_citations: [], enable_web_search: 'on' })
    expect(web().questions).toHaveLength(asked)
    expect(sentMessages(gateway)).toHaveLength(1)
  })

  it('and says nothing where that was left to the prompt', async () => {
    const asked = web().questions.length
    const { echo } = await askStrict(model, content, { enable_web_search: 'auto' })
    expect(echo).not.toHaveProperty('search_error')
    expect(web().questions).toHaveLength(asked)
  })
})

it.each([
  ['has no question', [{ role: 'assistant', content: 'Hello.' }]],
  ['has an empty one', [{ role: 'user', content: '' }]],
])('nothing is found for a conversation that %s, and the answer says so', async (_, messages) => {
  const asked = web().questions.length
  const { status, json } = await gateway.client.chat({ model: 'test/model:online', messages })
  expect([status, json['venym']]).toEqual([200, { search_error: 'no_results' }])
  const venice_parameters = { include_venice_system_prompt: false, enable_web_search: 'on' }
  const body = JSON.stringify({ model: 'test/model', messages, venice_parameters })
  const strict = await gateway.client.send('/api/v1/chat/completions', { method: 'POST', body })
  expect(strict.json['venice_parameters']).toMatchObject({ search_error: 'no_results', web_search_citations: [] })
  expect(web().questions).toHaveLength(asked)
})

it('no page is read for a model that takes nothing from the web', async () => {
  const content = 'Read http://127.0.0.1:9/page'
  const { echo, cost } = await askStrict('test/plain', content, { enable_web_scraping: true })
  expect([echo['search_error'], nanoOf(cost)]).toEqual(['unsupported', answerCost])
})

it('models take what was found on the web unless their operator says that they do not', async () => {
  const { json } = await gateway.client.send('/v1/models', { method: 'GET' })
  const rows = json['data'] as unknown as { id: string; capabilities: string[] }[]
  const taking = rows.filter(({ capabilities }) => capabilities.includes('web_search'))
  expect(taking.map(({ id }) => id)).toEqual(['test/model'])
})
