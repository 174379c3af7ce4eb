import { describe, expect, it } from 'vitest'
import { useGateway } from '../../support/gateway/index.ts'
import { makePicture } from '../../support/media/pictures.ts'
import { ask, forwarded } from './ask.ts'

const able = {
  functionCalling: true,
  responseSchema: true,
  vision: true,
  multipleImages: true,
  audioInput: true,
  videoInput: true,
  logProbs: true,
}
const gateway = useGateway({
  models: { 'test/model': { capabilities: able }, 'test/plain': {}, 'family:8b': { capabilities: able } },
})

const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
const user = { role: 'user', content: 'Hello' }

/** What every engine gets; `user` is a name that the gateway makes for the account and its end user. */
const always = ['max_tokens', 'messages', 'model', 'user']

const seen = async (body: object) => (await forwarded(gateway, body)).engineBody

describe('parameters', () => {
  const sampling = {
    temperature: 0,
    top_p: 0.9,
    top_k: 40,
    min_p: 0.05,
    min_temp: 0.1,
    max_temp: 1.5,
    repetition_penalty: 1.1,
    frequency_penalty: -1,
    presence_penalty: 1,
    seed: 7,
    stop: ['\n'],
    stop_token_ids: [1, 2],
    logprobs: true,
    top_logprobs: 2,
    parallel_tool_calls: true,
    tools: [tool],
    tool_choice: 'auto',
  }

  it('reach the engine as they were given', async () => {
    expect(await seen(sampling)).toMatchObject(sampling)
  })

  it('reach it only when given', async () => {
    const nulls = Object.fromEntries(Object.keys(sampling).map(name => [name, null]))
    expect(Object.keys(await seen(nulls)).sort()).toEqual(always)
  })

  it('stay here when they are the gateway’s own, or mean nothing here', async () => {
    const own = {
      ...{ user: 'somebody', store: true, include: 5, metadata: { a: 1 }, web_search: true, stream_options: {} },
      venice_parameters: { enable_web_search: 'auto', enable_web_scraping: true, of_tomorrow: 1 },
    }
    const { engineBody, answer } = await forwarded(gateway, own)
    expect(Object.keys(engineBody).sort()).toEqual(always)
    expect(engineBody['user']).not.toContain('somebody')
    expect(answer.json['venice_parameters']).toMatchObject({ enable_web_search: 'auto', web_search_citations: [] })
  })

  it.each([
    [{ max_tokens: 5 }, 5],
    [{ max_output_tokens: 6 }, 6],
    [{ max_completion_tokens: 7, max_tokens: 5 }, 7],
    [{ max_tokens: -1 }, 1_000],
  ])('limit the output: %j to %i', async (limits, expected) => {
    expect(await seen(limits)).toMatchObject({ max_tokens: expected })
  })

  it('may ask for several choices', async () => {
    expect(await seen({ n: 2 })).toMatchObject({ n: 2 })
  })

  it('may carry a bare JSON Schema as deep as a body can be', async () => {
    const schema = JSON.parse(`${'{"a":'.repeat(62)}1${'}'.repeat(62)}`) as object
    const { response_format } = await seen({ response_format: { type: 'json_schema', json_schema: schema } })
    expect(response_format).toEqual({ type: 'json_schema', json_schema: { name: 'response', schema } })
  })
})

describe('messages of other dialects', () => {
  it('reach the engine in OpenAI’s form', async () => {
    const data = (await makePicture('png')).toString('base64')
    const messages = [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      user,
      { role: 'assistant', content: '' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'A wall.' }] },
        ],
      },
    ]
    expect((await seen({ messages }))['messages']).toEqual([
      messages[0],
      user,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'A wall.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
        ],
      },
    ])
  })

  it('carry reasoning back untouched', async () => {
    const turn = {
      role: 'assistant',
      content: 'Hm.',
      reasoning_content: 'r',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'd', id: null, index: 0, more: { a: [1] } }],
      thought_signature: 's',
      tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'g' } } }],
    }
    expect((await seen({ messages: [user, turn, user] }))['messages']).toEqual([user, turn, user])
  })

  it('hold a document that cannot be read as a text that says so', async () => {
    const part = { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } }
    const [message] = (await seen({ messages: [{ role: 'user', content: [part] }] }))['messages'] as [object]
    expect(JSON.stringify(message)).toContain('[Error processing file a.pdf: ')
  })

  it.each([
    { name: 'look', input_schema: { type: 'object' } },
    { type: 'function', name: 'look', parameters: { type: 'object' } },
  ])('define tools: %j', async definition => {
    const body = await seen({ tools: [definition, { type: 'web_search' }], tool_choice: { type: 'required' } })
    expect(body).toMatchObject({ tools: [tool], tool_choice: 'required' })
  })
})

describe('the model’s name', () => {
  it('may end in settings, which win', async () => {
    const { answer } = await forwarded(gateway, {
      model: 'family:8b:strip_thinking_response=true&enable_web_search=on&zebra=1',
      venice_parameters: { strip_thinking_response: false, enable_web_citations: true },
    })
    expect(answer.json).toMatchObject({
      model: 'family:8b',
      venice_parameters: { strip_thinking_response: true, enable_web_search: 'on', enable_web_citations: true },
    })
  })

  it('is named without them when nothing is called so', async () => {
    const answer = await ask(gateway, { model: 'test/modal:disable_thinking=true' })
    expect([answer.status, answer.json.error]).toEqual([404, expect.stringMatching(/test\/modal\b(?!:)/)])
  })
})

describe('what a model cannot do', () => {
  it('is told with its place, in the order of the body', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
    const body = { model: 'test/plain', tools: [tool], messages: [{ role: 'user', content: [image] }], top_logprobs: 0 }
    const answer = await ask(gateway, JSON.stringify(body))
    expect([answer.status, answer.json['issues']]).toMatchObject([
      400,
      [
        { path: ['tools'], message: 'tools is not supported by this model' },
        { path: ['messages', 0, 'content', 0, 'image_url'], message: 'image_url is not supported by this model' },
        { path: ['top_logprobs'], message: 'top_logprobs is not supported by this model' },
      ],
    ])
    expect(gateway.engine().requests).toHaveLength(0)
  })

  it('is not asked of it by defaults', async () => {
    const body = {
      model: 'test/plain',
      parallel_tool_calls: false,
      tools: [],
      response_format: { type: 'text' },
      logprobs: false,
    }
    expect((await ask(gateway, body)).status).toBe(200)
  })
})
