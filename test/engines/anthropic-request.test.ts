import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAnthropicEngine } from '../../src/adapters/engines/anthropic/anthropic-engine.ts'
import type { Engine } from '../../src/domain/engines/engine.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { message } from '../support/mock-anthropic/index.ts'
import * as mock from '../support/mock-engine/index.ts'
import { errorOf, eventsOf } from './collect-events.ts'
import { type Asked, hostedCall, hostedKey, hostedOptions, user } from './hosted-engine.ts'

const never = new AbortController().signal
const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }

let node: mock.MockEngine
let engine: Engine

beforeEach(async () => {
  node = await mock.startMockEngine()
  node.always(message())
  engine = createAnthropicEngine(hostedOptions(node.url))
})

afterEach(async () => {
  await engine.close()
  await node.close()
})

async function sent(body: JsonObject, asked?: Asked) {
  const reply = await engine.open(hostedCall(body, asked), never)
  if (reply.kind === 'events') await eventsOf(reply)
  else throw new Error(`refused: ${JSON.stringify(await errorOf(reply))}`)
  return node.requests.at(-1)?.body ?? {}
}

describe('a request', () => {
  it('is a POST of ours with the key in the header of the API', async () => {
    await sent({})
    expect(node.requests[0]?.path).toBe('/v1/messages')
    expect(node.requests[0]?.headers).toMatchObject({
      'x-api-key': hostedKey,
      'anthropic-version': '2023-06-01',
      'user-agent': 'rialto/0.1.0',
      'x-request-id': 'req_0123456789abcdef',
    })
    expect(node.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it("has the engine's model, the limit and the conversation, and nothing that the API does not know", async () => {
    const body = { seed: 3, logit_bias: {}, n: 1, operator_denies: 1, user: 'alice', presence_penalty: 1 }
    expect(await sent(body)).toEqual({
      model: 'claude-opus-4-8',
      max_tokens: 4_096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    })
  })

  it('puts systems and developers before the conversation and joins what one side says in a row', async () => {
    const mark = { type: 'ephemeral', ttl: '1h' }
    const messages = [
      { role: 'system', content: [{ type: 'text', text: 'Be kind.', cache_control: mark }] },
      user,
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Still there?' },
          { type: 'text', text: '' },
        ],
      },
    ]
    expect(await sent({ messages })).toMatchObject({
      system: [
        { type: 'text', text: 'Be kind.', cache_control: mark },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: 'Still there?' }] }],
    })
  })

  it('shows images and PDF files, and refuses what the API has no ear for', async () => {
    const link = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
    const inline = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
    const file = { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } }
    const { messages } = await sent({ messages: [{ role: 'user', content: [link, inline, file] }] })
    expect(messages).toMatchObject([
      {
        content: [
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' } },
        ],
      },
    ])
    const audio = { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }
    const reply = await engine.open(hostedCall({ messages: [{ role: 'user', content: [audio] }] }), never)
    expect(await errorOf(reply)).toMatchObject({ status: 400, param: 'messages[0].content[0]' })
  })

  it('brings calls and their answers in the form of the API', async () => {
    const call = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'look_up', arguments: args },
    })
    const messages = [
      user,
      { role: 'assistant', content: 'Wait.', tool_calls: [call('functions.look_up:0', '{"a":1}'), call('call_2', '')] },
      { role: 'tool', tool_call_id: 'functions.look_up:0', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      { role: 'user', content: 'And?' },
    ]
    expect(await sent({ messages, tools: [tool] })).toMatchObject({
      messages: [
        {},
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Wait.' },
            { type: 'tool_use', id: 'functions_look_up_0', name: 'look_up', input: { a: 1 } },
            { type: 'tool_use', id: 'call_2', name: 'look_up', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'functions_look_up_0', content: [{ type: 'text', text: 'one' }] },
            { type: 'tool_result', tool_use_id: 'call_2' },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
    })
  })

  it('knows the tools of a conversation that may call none any more', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'look_up', arguments: '{}' } }
    const messages = [user, { role: 'assistant', tool_calls: [call, { ...call, id: 'b' }] }]
    const results = ['a', 'b'].map(tool_call_id => ({ role: 'tool', tool_call_id, content: 'x' }))
    expect(await sent({ messages: [...messages, ...results] })).toMatchObject({
      tools: [{ name: 'look_up' }],
      tool_choice: { type: 'none' },
    })
  })

  it.each([
    ['auto', true, { type: 'auto' }],
    ['none', true, { type: 'none' }],
    ['required', false, { type: 'any', disable_parallel_tool_use: true }],
    [{ type: 'function', function: { name: 'look_up' } }, true, { type: 'tool', name: 'look_up' }],
  ])('chooses tools as the API says it: %j', async (tool_choice, parallel_tool_calls, choice) => {
    expect(await sent({ tools: [tool], tool_choice, parallel_tool_calls })).toMatchObject({
      tools: [{ name: 'look_up', input_schema: { type: 'object', properties: {} } }],
      tool_choice: choice,
    })
  })

  it('closes the objects of a schema and leaves out what the API refuses', async () => {
    const schema = {
      type: 'object',
      properties: {
        minimum: { type: 'integer', minimum: 1 },
        list: { type: 'array', maxItems: 3, items: { type: 'object' } },
      },
      required: ['minimum'],
    }
    const body = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }
    expect((await sent(body))['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            minimum: { type: 'integer' },
            list: { type: 'array', items: { type: 'object', additionalProperties: false } },
          },
          required: ['minimum'],
          additionalProperties: false,
        },
      },
    })
    expect(await sent({ response_format: { type: 'json_object' } })).not.toHaveProperty('output_config')
  })

  it('samples within the range of the API where the model takes it', async () => {
    const body = { temperature: 1.5, top_p: 0.5, top_k: 9, stop: ['END'] }
    expect(await sent(body, { model: 'claude-sonnet-4-5-20250929' })).toMatchObject({
      temperature: 1,
      top_k: 9,
      stop_sequences: ['END'],
    })
    const newest = await sent(body, { model: 'claude-opus-4-8' })
    expect(newest).toMatchObject({ stop_sequences: ['END'] })
    for (const name of ['temperature', 'top_p', 'top_k']) expect(newest).not.toHaveProperty(name)
  })

  it('names our end user, and the models that may answer instead under their beta', async () => {
    expect(await sent({}, { wishes: { fallbacks: ['claude-opus-4-8'] } })).toMatchObject({
      metadata: { user_id: 'hashed' },
      fallbacks: [{ model: 'claude-opus-4-8' }],
    })
    expect(node.requests[0]?.headers['anthropic-beta']).toBe('server-side-fallback-2026-06-01')
    await sent({}, { wishes: {} })
    expect(node.requests[1]?.headers).not.toHaveProperty('anthropic-beta')
  })

  it.each([
    [{ messages: 'Hi' }, 'messages'],
    [{ messages: [{ role: 'robot', content: 'Hi' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: [{ type: 'smell' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [{ tools: [{ type: 'custom', custom: {} }] }, 'tools[0]'],
    [{ tool_choice: 'perhaps' }, 'tool_choice'],
    [{ temperature: 'warm' }, 'temperature'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"a":' } }] }] },
      'messages[0].tool_calls[0].function.arguments',
    ],
  ])('that is wrong reaches nobody: %j', async (body, param) => {
    expect(await errorOf(await engine.open(hostedCall(body), never))).toMatchObject({ status: 400, param })
    expect(node.requests).toHaveLength(0)
  })
})

describe('a wish to think', () => {
  it.each([
    ['claude-opus-4-8', { effort: 'high' }, { type: 'adaptive', display: 'summarized' }, 'high'],
    ['claude-fable-5', { effort: 'minimal' }, { type: 'adaptive', display: 'summarized' }, 'low'],
    ['claude-sonnet-4-6', { enabled: true }, { type: 'adaptive', display: 'summarized' }, undefined],
    ['claude-opus-4-8', { enabled: false }, { type: 'disabled' }, undefined],
    ['claude-sonnet-4-20250514', { effort: 'low' }, { type: 'enabled', budget_tokens: 2_000 }, undefined],
    ['claude-3-7-sonnet-20250219', { effort: 'max' }, { type: 'enabled', budget_tokens: 9_500 }, undefined],
    ['claude-haiku-4-5', { effort: 'minimal' }, { type: 'enabled', budget_tokens: 1_024 }, undefined],
    ['claude-haiku-4-5', {}, undefined, undefined],
  ])('is told to %s: %j', async (model, reasoning, thinking, effort) => {
    const body = await sent({ temperature: 0.5 }, { model, reasoning, outputLimit: 10_000 })
    expect([body['thinking'], body['output_config']]).toEqual([thinking, effort && { effort }])
    expect(body['max_tokens']).toBe(10_000)
  })

  it('stays within the limit that is paid for', async () => {
    const small = { model: 'claude-haiku-4-5', reasoning: { effort: 'high' }, outputLimit: 1_024 }
    expect(await sent({}, small)).not.toHaveProperty('thinking')
  })

  it('gives way to a tool that must be called', async () => {
    const body = await sent({ tools: [tool], tool_choice: 'required' }, { reasoning: { effort: 'high' } })
    expect(body).not.toHaveProperty('thinking')
  })

  it('may stand in the body where that says all of it itself', async () => {
    expect(await sent({ reasoning_effort: 'low' })).toMatchObject({ output_config: { effort: 'low' } })
    expect(await sent({ reasoning_effort: 'none' })).toMatchObject({ thinking: { type: 'disabled' } })
  })
})

describe('pieces of thoughts that a caller kept apart', () => {
  it('go back as one, and what is unsigned or of another family does not', async () => {
    const piece = (fields: JsonObject) => ({ type: 'reasoning.text', index: 0, ...fields })
    const reasoning_details = [
      piece({ text: 'First ' }),
      piece({ text: 'this.' }),
      piece({ signature: 'sig-1' }),
      { type: 'reasoning.text', index: 1, text: 'unsigned' },
      { type: 'reasoning.encrypted', index: 2, data: 'x', format: 'google-gemini-v1' },
    ]
    const messages = [user, { role: 'assistant', content: 'So. ', reasoning_details }]
    expect((await sent({ messages }))['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'First this.', signature: 'sig-1' },
          { type: 'text', text: 'So.' },
        ],
      },
    ])
  })
})
