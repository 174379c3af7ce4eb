import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGoogleEngine } from '../../src/adapters/engines/google/google-engine.ts'
import type { Engine } from '../../src/domain/engines/engine.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import * as mock from '../support/mock-engine/index.ts'
import { apiError, type GenerateOptions, generate } from '../support/mock-google/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { completionOf, errorOf, eventsOf } from './collect-events.ts'
import { type Asked, hostedCall, hostedKey, hostedOptions, user } from './hosted-engine.ts'

const never = new AbortController().signal
const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }
const flash = 'gemini-2.5-flash'
const pro = 'gemini-3.1-pro'

let node: mock.MockEngine
let engine: Engine

beforeEach(async () => {
  node = await mock.startMockEngine()
  node.always(generate())
  engine = createGoogleEngine(hostedOptions(node.url))
})

afterEach(async () => {
  await engine.close()
  await node.close()
})

async function sent(body: JsonObject, asked: Asked = { model: flash }) {
  const reply = await engine.open(hostedCall(body, asked), never)
  if (reply.kind === 'events') await eventsOf(reply)
  else throw new Error(`refused: ${JSON.stringify(await errorOf(reply))}`)
  return node.requests.at(-1)?.body ?? {}
}

async function answered(options: GenerateOptions, body: JsonObject = {}) {
  node.next(generate(options))
  return completionOf(await engine.open(hostedCall(body, { model: pro }), never))
}

const callOf = (id: string, args: string, extra: JsonObject = {}) => ({
  id,
  type: 'function',
  function: { name: 'look_up', arguments: args },
  ...extra,
})

describe('a request', () => {
  it('is a POST of ours to the model, with the key in the header of the API and not in the address', async () => {
    await sent({})
    expect(node.requests[0]?.path).toBe('/v1/models/gemini-2.5-flash:generateContent')
    expect(node.requests[0]?.headers).toMatchObject({ 'x-goog-api-key': hostedKey, 'user-agent': 'rialto/0.1.0' })
    await sent({ stream: true })
    expect(node.requests[1]?.path).toBe('/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse')
    await sent({}, { model: 'tuned models/a?b' })
    expect(node.requests[2]?.path).toBe('/v1/tuned%20models/a%3Fb:generateContent')
  })

  it('has the limit and the conversation, and nothing that the API does not know', async () => {
    const body = { logit_bias: {}, n: 1, user: 'alice', operator_denies: 1 }
    const messages = [{ role: 'system', content: 'Be kind.' }, user, { role: 'developer', content: 'Be brief.' }, user]
    expect(await sent({ ...body, messages })).toEqual({
      systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { text: 'Hi' }] }],
      generationConfig: { maxOutputTokens: 4_096 },
    })
  })

  it('samples, stops and formats as the API says it', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } }
    const body = {
      temperature: 1.5,
      top_p: 0.5,
      top_k: 9,
      seed: 3,
      presence_penalty: 1,
      frequency_penalty: -1,
      stop: 'END',
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    }
    expect((await sent(body))['generationConfig']).toEqual({
      maxOutputTokens: 4_096,
      temperature: 1.5,
      topP: 0.5,
      topK: 9,
      seed: 3,
      presencePenalty: 1,
      frequencyPenalty: -1,
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    })
    expect((await sent({ response_format: { type: 'json_object' } }))['generationConfig']).toEqual({
      maxOutputTokens: 4_096,
      responseMimeType: 'application/json',
    })
  })

  it('shows images, videos, sound and files', async () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'video_url', video_url: { url: 'https://www.youtube.com/watch?v=1' } },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } },
    ]
    expect(await sent({ messages: [{ role: 'user', content }] })).toMatchObject({
      contents: [
        {
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
            { fileData: { fileUri: 'https://example.com/a.png' } },
            { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } },
            { inlineData: { mimeType: 'audio/mp3', data: 'aGk=' } },
            { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
          ],
        },
      ],
    })
  })

  it('brings calls and their answers, with the name of the tool that answers', async () => {
    const messages = [
      user,
      { role: 'assistant', content: 'Wait.', tool_calls: [callOf('a', '{"x":1}'), callOf('b', '')] },
      { role: 'tool', tool_call_id: 'a', content: '{"y":2}' },
      { role: 'tool', tool_call_id: 'b', content: 'plain' },
      { role: 'user', content: 'And?' },
    ]
    expect((await sent({ messages, tools: [tool] }))['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'Wait.' },
          { functionCall: { id: 'a', name: 'look_up', args: { x: 1 } } },
          { functionCall: { id: 'b', name: 'look_up', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'look_up', response: { y: 2 } } },
          { functionResponse: { id: 'b', name: 'look_up', response: { output: 'plain' } } },
          { text: 'And?' },
        ],
      },
    ])
    const stray = hostedCall({ messages: [user, { role: 'tool', tool_call_id: 'x', content: 'x' }] })
    expect(await errorOf(await engine.open(stray, never))).toMatchObject({
      status: 400,
      param: 'messages[1].tool_call_id',
    })
  })

  it.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'look_up' } },
      { mode: 'ANY', allowedFunctionNames: ['look_up'] },
    ],
  ])('chooses tools as the API says it: %j', async (tool_choice, functionCallingConfig) => {
    expect(await sent({ tools: [tool], tool_choice })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'look_up', parametersJsonSchema: { type: 'object' } }] }],
      toolConfig: { functionCallingConfig },
    })
  })
})

describe('a wish to think', () => {
  it.each([
    [flash, { effort: 'low' }, { includeThoughts: true, thinkingBudget: 1_024 }],
    [flash, { effort: 'high' }, { includeThoughts: true, thinkingBudget: 8_000 }],
    [flash, { enabled: true }, { includeThoughts: true, thinkingBudget: -1 }],
    [flash, { enabled: false }, { thinkingBudget: 0 }],
    [pro, { effort: 'medium' }, { includeThoughts: true, thinkingLevel: 'medium' }],
    [pro, { effort: 'max' }, { includeThoughts: true, thinkingLevel: 'high' }],
    [pro, { enabled: true }, { includeThoughts: true }],
    [pro, { enabled: false }, { thinkingLevel: 'minimal' }],
    [pro, {}, undefined],
  ])('is told to %s: %j', async (model, reasoning, thinkingConfig) => {
    const body = await sent({}, { model, reasoning, outputLimit: 10_000 })
    expect(Object(body['generationConfig']).thinkingConfig).toEqual(thinkingConfig)
  })
})

describe.each([true, false])('an answer, streamed: %s', stream => {
  it('comes as one choice with its usage, thoughts counted as output', async () => {
    const usage = {
      promptTokenCount: 240,
      cachedContentTokenCount: 200,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 4,
      totalTokenCount: 247,
    }
    const { completion, message: said, finishReason, usage: report } = await answered({ usage }, { stream })
    expect(completion).toMatchObject({ id: 'resp-1', object: 'chat.completion', created: expect.any(Number) })
    expect([said, finishReason]).toEqual([{ role: 'assistant', content: 'Hello there' }, 'stop'])
    expect(report).toEqual({
      prompt_tokens: 240,
      completion_tokens: 7,
      total_tokens: 247,
      prompt_tokens_details: { cached_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 4 },
    })
    expect((await answered({ usage: null }, { stream })).usage).toBeNull()
  })

  it('calls tools with signatures, which go back to where they stood', async () => {
    const parts = [
      { text: 'Let me see.', thought: true },
      { functionCall: { name: 'look_up', args: { städte: ['東京'] } }, thoughtSignature: 'sig-1' },
      { functionCall: { id: 'own', name: 'look_up' } },
    ]
    const { message: said, finishReason } = await answered({ parts }, { stream })
    const id = 'call_0123456789abcdef_0'
    expect([said, finishReason]).toEqual([
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'Let me see.',
        thought_signature: 'sig-1',
        tool_calls: [
          callOf(id, '{"städte":["東京"]}', { extra_content: { google: { thought_signature: 'sig-1' } } }),
          callOf('own', '{}'),
        ],
      },
      'tool_calls',
    ])
    const results = [id, 'own'].map(tool_call_id => ({ role: 'tool', tool_call_id, content: 'x' }))
    const calls = { ...Object(said), tool_calls: [callOf(id, '{"städte":["東京"]}'), callOf('own', '{}')] }
    for (const kept of [Object(said), calls]) {
      const { contents } = await sent({ messages: [user, kept, ...results] }, { model: pro })
      expect(contents).toMatchObject([
        {},
        { parts: [{ ...parts[1], functionCall: { id } }, { functionCall: { id: 'own' } }] },
        {},
      ])
    }
  })

  it('signs its text, and takes the signature back', async () => {
    const parts = [{ text: 'So.' }, { text: '', thoughtSignature: 'sig-2' }]
    const { message: said } = await answered({ parts }, { stream })
    expect(said).toEqual({ role: 'assistant', content: 'So.', thought_signature: 'sig-2' })
    const { contents } = await sent({ messages: [user, Object(said), user] })
    expect(contents).toMatchObject([{}, { parts: [{ text: 'So.', thoughtSignature: 'sig-2' }] }, {}])
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['MALFORMED_FUNCTION_CALL', 'stop'],
  ])('that ended with %s ends with %s', async (finishReason, reason) => {
    expect((await answered({ finishReason }, { stream })).finishReason).toBe(reason)
  })

  it('to a prompt that is blocked is a refusal for its content, and no fault of the node', async () => {
    await expect(answered({ blockReason: 'SAFETY' }, { stream })).rejects.toMatchObject({ kind: 'policy' })
  })
})

it('a conversation of another model is marked as unsigned where the model wants signatures', async () => {
  const messages = [
    user,
    { role: 'assistant', content: null, tool_calls: [callOf('a', '{}')] },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
  ]
  const { contents } = await sent({ messages }, { model: pro })
  expect(contents).toMatchObject([{}, { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }, {}])
})

describe('a stream', () => {
  it.each([
    ['an error at its beginning', generate({ error: { afterResponses: 0 } }), 'bad_answer'],
    ['an error in the middle', generate({ error: { afterResponses: 1 } }), 'bad_answer'],
    ['silence', mock.hang({ chunks: 1 }, generate()), 'idle_timeout'],
    ['a lost connection', mock.reset({ chunks: 1 }, generate()), 'reset'],
    ['garbage', mock.garbageAfter(1, 'notJson', generate()), 'bad_answer'],
  ])('that meets %s ends with a fault', async (_what, behaviour, kind) => {
    node.next(behaviour)
    const reply = await engine.open(hostedCall({ stream: true }, { model: flash }), never)
    await expect(eventsOf(reply)).rejects.toMatchObject({ kind })
  })

  it('that ends early has no reason for its end', async () => {
    node.next(generate({ finishReason: null }))
    const events = await eventsOf(await engine.open(hostedCall({ stream: true }, { model: flash }), never))
    expect(JSON.stringify(events)).not.toContain('"finish_reason":"')
  })

  it('that nobody wants any more closes its socket', async () => {
    node.next(generate({ everyMs: 50, parts: Array.from({ length: 200 }, () => ({ text: 'word ' })) }))
    const leaving = new AbortController()
    const reply = await engine.open(hostedCall({ stream: true }, { model: flash }), leaving.signal)
    const reading = eventsOf(reply)
    setTimeout(() => leaving.abort(), 120)
    await expect(reading).rejects.toMatchObject({ kind: 'aborted' })
    await waitFor('the socket to close', () => node.requests[0]?.ending === 'peer-closed')
  })
})

describe('an error of the API', () => {
  const invalidKey = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }
  it.each([
    [400, 'INVALID_ARGUMENT', 'Unknown name "x"', [], 400, null, null],
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (9) exceeds the maximum',
      [],
      400,
      'context_length_exceeded',
      null,
    ],
    [400, 'INVALID_ARGUMENT', 'API key not valid.', [invalidKey], 401, null, null],
    [400, 'FAILED_PRECONDITION', 'User location is not supported.', [], 403, null, null],
    [404, 'NOT_FOUND', 'models/x is not found', [], 404, null, null],
    [429, 'RESOURCE_EXHAUSTED', 'You exceeded your quota.', [retry], 429, null, 37_000],
    [500, 'INTERNAL', 'Oops', [], 500, null, null],
    [503, 'UNAVAILABLE', 'The model is overloaded.', [], 429, null, null],
  ])('%s %s "%s" counts as such', async (code, name, words, details, status, errorCode, retryAfterMs) => {
    node.next(apiError(code, name, words, details))
    const reply = await engine.open(hostedCall({}, { model: flash }), never)
    expect(await errorOf(reply)).toMatchObject({ status, message: words, code: errorCode, retryAfterMs })
  })

  it('may come in a list', async () => {
    node.next(mock.status(429, { body: mock.errorBodies.jsonArray('Slow down') }))
    const reply = await engine.open(hostedCall({ stream: true }, { model: flash }), never)
    expect(await errorOf(reply)).toMatchObject({ status: 429, message: 'Slow down' })
  })
})
