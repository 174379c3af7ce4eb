import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'

const gateway = useGateway({
  models: {
    'demo/one': {
      traits: ['default'],
      compatibility: ['gpt-mini'],
      reasoning: { efforts: ['low', 'high'], default: 'low', canDisable: true },
    },
    'demo/two': { traits: ['quick'], privacy: 'anonymized', capabilities: { optimizedForCode: true } },
  },
  accounts: { discreet: { key: { privacy: 'private_text' } } },
})

async function get(path: string, key?: string) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { status, text } = await gateway.client.send(path, { headers })
  return { status, body: JSON.parse(text) }
}

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

describe('GET /api/v1/models', () => {
  it('lists text models to everybody, with everything that a choice needs', async () => {
    const { status, body } = await get('/api/v1/models')
    expect([status, body.object, body.type, idsOf(body)]).toEqual([200, 'list', 'text', ['demo/one', 'demo/two']])
    expect(body.data[0]).toMatchObject({
      object: 'model',
      type: 'text',
      model_spec: {
        privacy: 'private',
        traits: ['default'],
        capabilities: { reasoningEffortOptions: ['low', 'high'] },
      },
    })
  })

  it.each([
    ['text', ['demo/one', 'demo/two']],
    ['all', ['demo/one', 'demo/two']],
    ['code', ['demo/two']],
    ['image', []],
  ])('lists those of the type %s', async (type, ids) => {
    expect(idsOf((await get(`/api/v1/models?type=${type}`)).body)).toEqual(ids)
  })

  it('refuses a type that it does not know', async () => {
    const { status, body } = await get('/api/v1/models?type=nope')
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ code: 'invalid_union', path: ['type'] }])
  })

  it('shows a restricted key only what it may use, and nobody anything under a key that does not count', async () => {
    const { key } = gateway.account('discreet')
    expect(idsOf((await get('/api/v1/models', key)).body)).toEqual(['demo/one'])
    expect(await get('/api/v1/models', 'vk-unknown')).toEqual({
      status: 401,
      body: expect.objectContaining({ error: 'Authentication failed' }),
    })
  })

  it('takes no other method', async () => {
    expect((await gateway.client.send('/api/v1/models', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('GET /api/v1/models/{id}', () => {
  it.each(['demo/one', 'demo%2Fone'])('shows %s as it stands in the list', async id => {
    const { data } = (await get('/api/v1/models')).body
    expect(await get(`/api/v1/models/${id}`)).toEqual({ status: 200, body: data[0] })
  })

  it('is what the official client asks for', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: gateway.account('discreet').key })
    expect(await client.models.retrieve('demo/one')).toMatchObject({ id: 'demo/one', object: 'model' })
    await expect(client.models.retrieve('demo/on')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it.each([
    ['demo/on', 'Specified model not found: demo/on. Did you mean: demo/one?'],
    ['unrelated', 'Specified model not found: unrelated.'],
    ['traits/x', 'Specified model not found: traits/x.'],
  ])('says that there is no %s, and nothing of another API', async (id, error) => {
    const { status, body } = await get(`/api/v1/models/${id}`)
    expect([status, body.error]).toEqual([404, error])
    expect(JSON.stringify(body)).not.toContain('/v1/')
  })

  it('closes to a key what the key may not use, and takes no key that does not count', async () => {
    const { key } = gateway.account('discreet')
    expect(await get('/api/v1/models/demo/two', key)).toMatchObject({
      status: 403,
      body: {
        error: expect.stringContaining("This API key is set to 'PRIVATE_TEXT'"),
        code: 'MODEL_PRIVACY_RESTRICTED',
      },
    })
    expect((await get('/api/v1/models/demo/one', 'vk-unknown')).status).toBe(401)
    expect((await gateway.client.send('/api/v1/models/demo/one', { method: 'POST' })).status).toBe(405)
  })
})

it('GET /api/v1/models/traits names the first model of each trait', async () => {
  expect((await get('/api/v1/models/traits')).body).toEqual({
    object: 'list',
    type: 'text',
    data: { default: 'demo/one', quick: 'demo/two' },
  })
})

it('GET /api/v1/models/compatibility_mapping names the models that answer to other sellers’ names', async () => {
  expect((await get('/api/v1/models/compatibility_mapping')).body.data).toEqual({ 'gpt-mini': 'demo/one' })
})
