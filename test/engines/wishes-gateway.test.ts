import { beforeEach, describe, expect, it } from 'vitest'
import type { ModelOverrides } from '../support/gateway/gateway-settings.ts'
import { type HttpAnswer, useGateway } from '../support/gateway/index.ts'
import * as claude from '../support/mock-anthropic/index.ts'
import { answer, reset, status } from '../support/mock-engine/index.ts'
import * as gemini from '../support/mock-google/index.ts'
import { waitFor } from '../support/wait-for.ts'

const thinker: ModelOverrides = {
  capabilities: { functionCalling: true, responseSchema: true, reasoning: true, reasoningEffort: true },
  reasoning: { efforts: ['low', 'high'], default: 'low', canDisable: true },
  cacheRetention: ['extended'],
}

const gateway = useGateway({
  engines: {
    main: { preset: 'openai' },
    left: { preset: 'vllm' },
    right: { preset: 'vllm' },
    llama: { preset: 'llamacpp' },
    claude: { kind: 'anthropic' },
    spare: { kind: 'anthropic' },
    frail: { kind: 'anthropic' },
    gemini: { kind: 'google' },
  },
  models: {
    'test/open': { engines: ['main'], ...thinker },
    'test/pair': { weights: { left: 1, right: 1 }, ...thinker },
    'test/llama': { engines: ['llama'], ...thinker },
    'test/claude': { engines: ['claude', 'spare'], family: 'claude', ...thinker },
    'test/claude-frail': { engines: ['frail', 'spare'], family: 'claude', ...thinker },
    'test/claude-two': { engines: ['claude'], family: 'claude' },
    'test/claude-elsewhere': { engines: ['spare'], family: 'claude' },
    'test/gemini': { engines: ['gemini'], family: 'gemini', ...thinker },
  },
  accounts: { other: {} },
})

const usage = { input_tokens: 6, cache_read_input_tokens: 8, cache_creation_input_tokens: 2, output_tokens: 5 }

beforeEach(() => {
  for (const id of ['claude', 'spare']) gateway.engine(id).always(claude.message({ usage }))
  gateway.engine('gemini').always(gemini.generate())
})

function ask(body: object, key = gateway.account('main').key): Promise<HttpAnswer> {
  const messages = [{ role: 'user', content: 'Hello' }]
  const text = JSON.stringify({ messages, venice_parameters: { include_venice_system_prompt: false }, ...body })
  return gateway.client.send('/api/v1/chat/completions', { method: 'POST', body: text, key })
}

function eventsOf({ text }: HttpAnswer) {
  const lines = text.split('\n').filter(line => line.startsWith('data: ') && line !== 'data: [DONE]')
  return lines.map(line => JSON.parse(line.slice('data: '.length)))
}

/** Of either surface: their tests judge the shapes. */
function jsonOf({ text }: HttpAnswer) {
  return JSON.parse(text)
}

function bodyAt(id: string) {
  return gateway.engine(id).requests.at(-1)?.body ?? {}
}

describe('a composed request', () => {
  it('reaches an engine with names of ours, which say nothing of the names behind them', async () => {
    const seen = new Set<unknown>()
    const askers = [{}, { anon_user_id: 'alice' }, { anon_user_id: 'bob' }]
    for (const key of [gateway.account('main').key, gateway.account('other').key])
      for (const fields of askers) {
        expect((await ask({ model: 'test/open', ...fields }, key)).status).toBe(200)
        const { safety_identifier, prompt_cache_key } = bodyAt('main')
        expect([safety_identifier, prompt_cache_key]).toEqual([
          expect.stringMatching(/^[0-9a-f]{64}$/),
          expect.stringMatching(/^[0-9a-f]{64}$/),
        ])
        seen.add(safety_identifier)
      }
    expect(seen.size).toBe(6)
    const cacheKeys = gateway.engine().requests.map(({ body }) => body?.['prompt_cache_key'])
    expect(new Set(cacheKeys).size).toBe(2)
  })

  it('has its wishes spelled for the engine', async () => {
    const wishes = { reasoning_effort: 'high', prompt_cache_retention: 'extended' }
    await ask({ model: 'test/open', ...wishes })
    expect(bodyAt('main')).toMatchObject({ reasoning_effort: 'high', prompt_cache_retention: '24h' })
    await ask({ model: 'test/llama', venice_parameters: { disable_thinking: true } })
    expect(bodyAt('llama')).toMatchObject({ chat_template_kwargs: { enable_thinking: false, thinking: false } })
  })

  it('meets the node of its cache key, and accounts their own', async () => {
    const nodeOf = async (fields: object, key?: string) => {
      const before = gateway.engine('left').requests.length
      await ask({ model: 'test/pair', ...fields }, key)
      return gateway.engine('left').requests.length > before ? 'left' : 'right'
    }
    for (const fields of [{}, ...['a', 'b', 'c', 'd', 'e', 'f'].map(prompt_cache_key => ({ prompt_cache_key }))]) {
      const first = await nodeOf(fields)
      expect([await nodeOf(fields), await nodeOf(fields), await nodeOf(fields)]).toEqual([first, first, first])
    }
    expect(gateway.engine('left').requests.length).toBeGreaterThan(0)
    expect(gateway.engine('right').requests.length).toBeGreaterThan(0)
  })
})

it('a forwarded request has no member that its caller did not write', async () => {
  await gateway.client.chat({ model: 'test/pair', temperature: 0.5 })
  const body = { ...bodyAt('left'), ...bodyAt('right') }
  expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'temperature'])
})

describe.each(['test/claude', 'test/gemini', 'test/llama'])('several choices of %s', model => {
  it.each([true, false])('cost the prompt once, streamed: %s', async stream => {
    const answered = await ask({ model, n: 3, stream })
    const { usage: report } = stream ? eventsOf(answered).find(event => event.usage != null) : jsonOf(answered)
    expect(report).toMatchObject({ prompt_tokens: 16, completion_tokens: 15 })
    const indexes = stream
      ? eventsOf(answered).flatMap(({ choices }) => choices.map(({ index }: { index: number }) => index))
      : jsonOf(answered).choices.map(({ index }: { index: number }) => index)
    expect([...new Set(indexes)].sort()).toEqual([0, 1, 2])
  })
})

describe('Claude', () => {
  it.each(['/v1', '/api/v1'])('answers on %s, whole and streamed, at its price', async surface => {
    const send = (fields: object) =>
      surface === '/v1'
        ? gateway.client.chat({ model: 'test/claude', ...fields })
        : ask({ model: 'test/claude', ...fields })
    const whole = await send({})
    expect(jsonOf(whole)).toMatchObject({
      model: 'test/claude',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 16, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } },
    })
    const streamed = await send({ stream: true })
    const events = eventsOf(streamed)
    expect(events.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe('Hello there')
    expect(events.every(({ model }) => model === 'test/claude')).toBe(true)
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 16, completion_tokens: 5 } })
    expect(streamed.text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('gets breakpoints, thinks, and takes its signed thoughts back', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig-1' },
      { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} },
    ] as const
    gateway.engine('claude').always(claude.message({ blocks, stopReason: 'tool_use', usage }))
    const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }]
    const opening = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
    ]
    const first = await ask({ model: 'test/claude', messages: opening, tools, reasoning_effort: 'high' })
    expect(bodyAt('claude')).toMatchObject({
      system: [{ text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    })
    const [{ message, finish_reason: reason }] = jsonOf(first).choices
    expect([reason, message.reasoning_content]).toEqual(['tool_calls', 'Hm.'])
    const messages = [...opening, message, { role: 'tool', tool_call_id: 'toolu_1', content: 'found' }]
    expect((await ask({ model: 'test/claude', messages, tools })).status).toBe(200)
    expect(bodyAt('claude')['messages']).toMatchObject([
      {},
      { content: blocks },
      { content: [{ type: 'tool_result' }] },
    ])
  })

  it('may be answered for by models that the same engine serves, under its own names of them', async () => {
    const fallbacks = ['test/claude-two', 'test/claude-elsewhere', 'test/nobody'].map(model => ({ model }))
    await ask({ model: 'test/claude', fallbacks })
    expect(bodyAt('claude')['fallbacks']).toEqual([{ model: 'internal-name-of-test-claude-two' }])
  })

  it.each([
    ['529', claude.apiError(529, 'overloaded_error', 'Overloaded')],
    ['a key that does not work', claude.apiError(401, 'authentication_error', 'invalid x-api-key')],
    ['an unpaid bill', claude.apiError(400, 'invalid_request_error', 'Your credit balance is too low.')],
    [
      'an error before the first word',
      claude.message({ error: { type: 'api_error', message: 'Oops', afterEvents: 3 } }),
    ],
    ['a lost connection', reset('before-headers')],
  ])('that fails with %s is replaced by another engine', async (_what, behaviour) => {
    gateway.engine('frail').always(behaviour)
    const answered = await ask({ model: 'test/claude-frail', stream: true })
    expect(
      eventsOf(answered)
        .map(({ choices }) => choices[0]?.delta?.content ?? '')
        .join(''),
    ).toBe('Hello there')
    expect(gateway.engine('spare').requests).toHaveLength(1)
  })

  it('that refuses a request is not asked again, and its words reach the caller', async () => {
    gateway.engine('claude').always(claude.apiError(400, 'invalid_request_error', 'messages: that is wrong'))
    const answered = await gateway.client.chat({ model: 'test/claude' })
    expect([answered.status, jsonOf(answered).error.message]).toEqual([400, 'messages: that is wrong'])
    expect(gateway.engine('spare').requests).toHaveLength(0)
  })

  it('that refuses to speak has filtered its content, with 200', async () => {
    gateway.engine('claude').always(claude.message({ blocks: [], stopReason: 'refusal', usage }))
    const answered = await ask({ model: 'test/claude' })
    expect([answered.status, jsonOf(answered).choices[0].finish_reason]).toEqual([200, 'content_filter'])
  })

  it('that breaks off in the middle says so in the stream', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded', afterEvents: 5 }
    gateway.engine('claude').always(claude.message({ error }))
    const answered = await ask({ model: 'test/claude', stream: true })
    expect(answered.text).toContain('"error"')
    expect(answered.text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('stops when its caller leaves', async () => {
    gateway
      .engine('claude')
      .always(claude.message({ everyMs: 30, blocks: [{ type: 'text', text: 'word '.repeat(500) }] }))
    const reading = await gateway.client.openStream({ model: 'test/claude' })
    await waitFor('the first words', () => reading.text.includes('word'))
    reading.abort()
    await waitFor('the engine to be left', () => gateway.engine('claude').requests[0]?.ending === 'peer-closed')
  })
})

describe('Gemini', () => {
  it.each(['/v1', '/api/v1'])('answers on %s, whole and streamed', async surface => {
    const send = (fields: object) =>
      surface === '/v1'
        ? gateway.client.chat({ model: 'test/gemini', ...fields })
        : ask({ model: 'test/gemini', ...fields })
    expect(jsonOf(await send({}))).toMatchObject({
      model: 'test/gemini',
      choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 16, completion_tokens: 5 },
    })
    const events = eventsOf(await send({ stream: true }))
    expect(events.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe('Hello there')
  })

  it('takes its signature back with the call that it stands on', async () => {
    const part = { functionCall: { id: 'call_1', name: 'look_up', args: { a: 1 } }, thoughtSignature: 'sig-1' }
    gateway.engine('gemini').always(gemini.generate({ parts: [part] }))
    const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }]
    const { message } = jsonOf(await ask({ model: 'test/gemini', tools })).choices[0]
    expect(message).toMatchObject({ thought_signature: 'sig-1' })
    const results = [message, { role: 'tool', tool_call_id: 'call_1', content: 'found' }]
    expect(
      (await ask({ model: 'test/gemini', tools, messages: [{ role: 'user', content: 'Hello' }, ...results] })).status,
    ).toBe(200)
    expect(bodyAt('gemini')['contents']).toMatchObject([{}, { parts: [part] }, {}])
  })

  it('without a second engine tells its caller how long to wait when it is overloaded', async () => {
    gateway
      .engine('gemini')
      .always(status(503, { body: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } } }))
    const answered = await gateway.client.chat({ model: 'test/gemini' })
    expect([answered.status, jsonOf(answered).error.code]).toEqual([429, 'engine_overloaded'])
    gateway.engine('gemini').always(answer())
  })
})
