import { describe, expect, it } from 'vitest'
import { engineModelOf, expectError, nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'

const gateway = useGateway({
  engines: {
    main: { forward: { deny: ['forbidden_here'] } },
    newer: { maxTokensField: 'max_completion_tokens', preset: 'vllm' },
  },
  models: {
    'test/model': { forward: { deny: ['forbidden_by_model'] } },
    'test/newer': { engines: ['newer'] },
    'test/few': { maxChoices: 2 },
    'test/plain': { capabilities: { webSearch: false } },
  },
  accounts: { other: {} },
})

const messages = [{ role: 'user', content: 'hi' }]
const engineModel = engineModelOf('test/model')

/** Sends a body and resolves with what the engine got. */
async function forwarded(body: string | object, engineId = 'main') {
  const engine = gateway.engine(engineId)
  const before = engine.requests.length
  const answer = await gateway.client.chat(typeof body === 'string' ? body : JSON.stringify(body))
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  expect(engine.requests).toHaveLength(before + 1)
  const request = engine.requests.at(-1)
  if (request === undefined) throw new Error('the engine got nothing')
  return request
}

async function refused(body: string | object, expected: Parameters<typeof expectError>[1]) {
  const answer = await gateway.client.chat(typeof body === 'string' ? body : JSON.stringify(body))
  expect(gateway.engine().requests).toHaveLength(0)
  return expectError(answer, expected)
}

describe('a request is forwarded as it came', () => {
  it('byte for byte: order, spacing, number spelling, escapes, unknown keys, deeper duplicates', async () => {
    const body = `\n{ "param_from_2031": {"a":[1,2], "a": {"b":1e-2}},\t"temperature":1E-02,"seed":123456789012345678901234567890,
      "model" : "test/model", "min": -0.0 , "messages":[{"role":"user","content":"caf\\u00e9 \u{1f600}"}],"max_tokens": 7 , "": null, "__proto__":{"x":1}}\n`
    const { rawBody } = await forwarded(body)
    expect(rawBody.toString()).toBe(body.replace('"test/model"', `"${engineModel}"`).replace(': 7 ', ': 7 '))
  })

  it('with the engine’s own headers and none of the caller’s', async () => {
    const { client, secrets } = gateway
    const headers = { cookie: 'a=b', 'x-forwarded-for': '10.0.0.1', 'openai-organization': 'org', 'x-custom': 'yes' }
    await client.chat({}, { headers })
    const seen = gateway.engine().requests[0]?.headers ?? {}
    expect(seen['authorization']).toBe(`Bearer ${secrets.engineKey}`)
    expect(seen).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
    for (const name of Object.keys(headers)) expect(seen).not.toHaveProperty(name)
  })

  it('without the nulls that say nothing, and with all others', async () => {
    const nulls = { n: null, stream: null, stop: null, max_tokens: null, venym: null, seed: null, logit_bias: null }
    const { body } = await forwarded({ model: 'test/model', messages, ...nulls })
    expect(Object.keys(body ?? {}).sort()).toEqual(['logit_bias', 'max_tokens', 'messages', 'model', 'seed'])
    expect(body).toMatchObject({ seed: null, logit_bias: null })
  })

  it('with an assistant’s tool calls that have no content', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
    const turns = [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '1' },
    ]
    const { body } = await forwarded({ model: 'test/model', messages: turns })
    expect(body?.['messages']).toEqual(turns)
  })
})

describe('the output limit', () => {
  it.each([
    [{ max_tokens: 5 }, 5],
    [{ max_completion_tokens: 6 }, 6],
    [{ max_tokens: 5, max_completion_tokens: 7 }, 7],
    [{ max_tokens: 7, max_completion_tokens: null }, 7],
    [{ max_tokens: 1_001 }, 1_000],
    [{ max_completion_tokens: Number.MAX_SAFE_INTEGER }, 1_000],
    [{ max_tokens: null }, 1_000],
    [{}, 1_000],
  ])('%j reaches engines of either kind as one value: %i', async (limits, expected) => {
    const older = await forwarded({ model: 'test/model', messages, ...limits })
    expect(older.body).toMatchObject({ max_tokens: expected })
    expect(older.body).not.toHaveProperty('max_completion_tokens')
    const newer = await forwarded({ model: 'test/newer', messages, ...limits }, 'newer')
    expect(newer.body).toMatchObject({ max_completion_tokens: expected })
    expect(newer.body).not.toHaveProperty('max_tokens')
  })
})

describe('stream_options', () => {
  it.each([undefined, null, {}, { include_usage: false }, { include_usage: true, more: 1 }])(
    'given as %j is exactly {"include_usage":true} for a stream',
    async given => {
      const reading = await gateway.client.stream(given === undefined ? {} : { stream_options: given })
      expect(reading.status).toBe(200)
      expect(gateway.engine().requests[0]?.body?.['stream_options']).toEqual({ include_usage: true })
    },
  )

  it('is removed when there is no stream', async () => {
    const { body } = await forwarded({ model: 'test/model', messages, stream_options: { include_usage: true } })
    expect(body).not.toHaveProperty('stream_options')
  })
})

describe('keys that must not arrive', () => {
  it('are those that engine and model deny', async () => {
    const denied = { forbidden_here: 1, forbidden_by_model: 2, allowed: 3 }
    const { body } = await forwarded({ model: 'test/model', messages, ...denied })
    expect(Object.keys(body ?? {}).sort()).toEqual(['allowed', 'max_tokens', 'messages', 'model'])
  })

  it('are those of the engine’s preset', async () => {
    const denied = { ignore_eos: true, min_tokens: 9, priority: -1, cache_salt: 'x', chat_template: 'y' }
    const { body } = await forwarded({ model: 'test/newer', messages, ...denied, top_k: 3 }, 'newer')
    expect(Object.keys(body ?? {}).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'top_k'])
  })
})

describe('a key that differs from one that matters in case only', () => {
  it.each([
    ['Model', '"other:70b"', 'model'],
    ['MAX_TOKENS', '100000', 'max_tokens'],
    ['max_to\u212aens', '100000', 'max_tokens'],
    ['Max_Completion_Tokens', '100000', 'max_completion_tokens'],
    ['N', '8', 'n'],
    ['Best_of', '8', 'best_of'],
    ['Stream', 'true', 'stream'],
    ['Stream_Options', '{}', 'stream_options'],
    ['Messages', '[]', 'messages'],
    ['Prompt_cache_key', '"theirs"', 'prompt_cache_key'],
    ['VENYM', '{}', 'venym'],
    ['\\u004dodel', '"other:70b"', 'model'],
  ])('%s is refused: an engine that ignores case would read another body', async (key, value, meant) => {
    const body = `{"model":"test/model","messages":${JSON.stringify(messages)},"${key}":${value}}`
    const error = await refused(body, { status: 400, code: 'unknown_key', param: JSON.parse(`"${key}"`) as string })
    expect(error.message).toContain(`\`${meant}\``)
  })

  it('is removed where the key itself is', async () => {
    const { body } = await forwarded({
      model: 'test/model',
      messages,
      Forbidden_Here: 1,
      FORBIDDEN_BY_MODEL: 2,
      Allowed: 3,
    })
    expect(Object.keys(body ?? {}).sort()).toEqual(['Allowed', 'max_tokens', 'messages', 'model'])
  })
})

describe('a key that stands twice', () => {
  it.each([
    ['model', '"model":"test/model"'],
    ['messages', '"messages":[]'],
    ['model', '"mod\\u0065l":"x"'],
    ['unknown', '"unknown":1,"unknown":1'],
  ])('at the top (%s as %s) is refused', async (param, twice) => {
    const body = `{"model":"test/model","messages":[{"role":"user","content":"hi"}],${twice}}`
    await refused(body, { status: 400, code: 'duplicate_key', param })
  })

  it('inside of venym is refused', async () => {
    const body = `{"model":"test/model","messages":[{"role":"user","content":"hi"}],"venym":{"web_search":false,"web_search":true}}`
    await refused(body, { status: 400, code: 'duplicate_key', param: 'venym.web_search' })
  })
})

describe('venym extras', () => {
  it.each([null, {}, { web_search: false }, { search_results: 3 }, { search_results: 99, web_search: null }])(
    'are read and removed: %j',
    async venym => {
      const { body } = await forwarded({ model: 'test/model', messages, venym })
      expect(body).not.toHaveProperty('venym')
    },
  )

  it.each([
    [{ wbe_search: true }, { status: 400, code: 'unknown_key', param: 'venym.wbe_search' }],
    [{ search_results: 0 }, { status: 400, code: 'invalid_value', param: 'venym.search_results' }],
    [{ search_results: 2.5 }, { status: 400, code: 'invalid_value', param: 'venym.search_results' }],
    [{ web_search: 'yes' }, { status: 400, code: 'invalid_value', param: 'venym.web_search' }],
    ['yes', { status: 400, code: 'invalid_value', param: 'venym' }],
    [{ web_search: true }, { status: 400, code: 'not_configured' }],
  ])('are refused with the key’s name: %j', async (venym, expected) => {
    const error = await refused({ model: 'test/model', messages, venym }, expected)
    expect(error.message).toContain('param' in expected ? expected.param : 'search')
  })
})

describe('a model’s suffix', () => {
  it.each(['test/model:online', 'test/model:online:online', 'test/plain:online'])(
    '%s asks for a search, which is not configured',
    async model => {
      await refused({ model, messages }, { status: 400, code: 'not_configured' })
    },
  )

  it.each(['test/model:fast', 'test/model:online:fast', ':online', 'test/model:'])(
    '%s is part of the id',
    async model => {
      await refused({ model, messages }, { status: 404, code: 'model_not_found' })
    },
  )

  it('an unknown model is answered with the one that was meant', async () => {
    const { message } = await refused({ model: 'test/modle', messages }, { status: 404, code: 'model_not_found' })
    expect(message).toContain('test/model')
  })
})

describe('choices', () => {
  it.each([
    [{ n: 3 }, 3],
    [{ best_of: 4 }, 4],
    [{ n: 2, best_of: 5 }, 5],
    [{ n: null }, 1],
  ])('%j multiplies the hold by %i', async (choices, factor) => {
    const holdOf = async (extra: object) => {
      const answer = await gateway.client.chat({ max_tokens: 100, ...extra })
      expect(answer.status).toBe(200)
      const generation = await gateway.client.generation(String(answer.headers['x-generation-id']))
      return nanoOf(generation?.hold ?? -1)
    }
    // The prompt's part of the hold grows with the bytes of the body, so that bodies of one length are compared.
    const padding = ' '.repeat(40)
    const [single, several] = await Promise.all([
      holdOf({ user: padding.slice(JSON.stringify({ seed: 1 }).length), seed: 1 }),
      holdOf({ user: padding.slice(JSON.stringify(choices).length), ...choices }),
    ])
    expect(several - single).toBe(priceOf({ completion: 100 * factor }) - priceOf({ completion: 100 }))
  })

  it('beyond the model’s maximum are refused', async () => {
    await refused({ model: 'test/few', messages, n: 3 }, { status: 400, code: 'invalid_value', param: 'n' })
  })

  it('reach the engine as they were asked for', async () => {
    const answer = await gateway.client.chat({ model: 'test/few', n: 2 })
    expect(answer.json.choices).toHaveLength(2)
  })
})

describe('prompt_cache_key', () => {
  it('means something within one account only, and is not the caller’s own text', async () => {
    const seen = async (name: string, text: string) => {
      await gateway.client.chat({ prompt_cache_key: text }, { key: gateway.account(name).key })
      return gateway.engine().requests.at(-1)?.body?.['prompt_cache_key']
    }
    const first = await seen('main', 'my-cache')
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await seen('main', 'my-cache')).toBe(first)
    expect(await seen('main', 'my-cache-2')).not.toBe(first)
    expect(await seen('other', 'my-cache')).not.toBe(first)
  })
})
