import { describe, expect, it } from 'vitest'
import { chunksOf, useGateway } from '../support/gateway/index.ts'
import { answer, errorEvent } from '../support/mock-engine/index.ts'
import { makeCharacters } from '../support/venice/make-characters.ts'
import { ask, forwarded, refused } from './chat-request/ask.ts'

const capabilities = { functionCalling: true, responseSchema: true, reasoning: true }
const gateway = useGateway({
  models: { 'test-model': { capabilities, tier: 'L' }, 'qwen3-235b': { capabilities } },
  settings: { limits: { tiers: { L: { rpm: 1_000, tpm: 10_000_000 } } } },
  accounts: { admin: { key: { type: 'admin' } } },
  beforeServe: installation => makeCharacters(installation, { 'alan-watts': {} }),
})

const model = 'test-model'
const tools = ['look', 'listen'].map(name => ({ type: 'function', function: { name, parameters: { type: 'object' } } }))
const chat = '/api/v1/chat/completions'

function stream(body: object = {}) {
  return gateway.client.stream({ model, ...body }, { path: chat })
}

function asAdmin(path: string, method = 'GET', body?: object) {
  const { key } = gateway.account('admin')
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return gateway.client.send(`/api/v1${path}`, { key, method, ...sent })
}

const dataOf = ({ json }: { json: { data?: unknown } }) => json.data as Readonly<Record<string, unknown>>

/** What programs for this API look at, and what their own tests ask for (venice.md §15). */
describe('a library that records what the API answers', () => {
  it('finds the settings, the cost, and no more cached tokens than the prompt has', async () => {
    gateway.engine().next(answer({ text: ['Blue.'], cachedTokens: 6 }))
    const { json } = await ask(gateway, { model })
    expect(json['venice_parameters']).toMatchObject({ enable_web_search: 'off', web_search_citations: [] })
    expect(json['cost']).toEqual({ usd: expect.any(Number), diem: 0 })
    expect(json.usage).toMatchObject({ prompt_tokens: 16, prompt_tokens_details: { cached_tokens: 6 } })
  })

  it('finds the model that it asked for in the refusal, whole and for a stream alike', async () => {
    for (const body of [{}, { stream: true }]) {
      const refusal = await ask(gateway, { model: 'nope-1', ...body })
      expect([refusal.status, refusal.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      expect(refusal.json.error).toContain('nope-1')
    }
  })

  it('finds usage and cost in the last frame of a stream', async () => {
    const reading = await stream()
    expect(reading.events.at(-1)?.data).toBe('[DONE]')
    const last = chunksOf(reading).at(-1)
    expect(last).toMatchObject({ choices: [], usage: { total_tokens: 21 }, cost: { diem: 0 } })
  })

  it('has its prompt_cache_key told to the engine, under another name', async () => {
    const { engineBody } = await forwarded(gateway, { model, prompt_cache_key: 'mine' })
    expect(engineBody['prompt_cache_key']).toEqual(expect.not.stringContaining('mine'))
  })

  it.each(['required', { type: 'function', function: { name: 'listen' } }])('may choose a tool: %j', async choice => {
    gateway.engine().next(answer({ toolCalls: [{ id: 'call_1', name: 'listen', arguments: '{}' }] }))
    const { json } = await ask(gateway, { model, tools, tool_choice: choice })
    expect(gateway.engine().requests[0]?.body).toMatchObject({ tool_choice: choice })
    expect(json.choices?.[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'listen', arguments: '{}' } }] },
    })
  })
})

describe('a command line', () => {
  it('takes the id of the completion, and the usage, from chunks', async () => {
    const chunks = chunksOf(await stream())
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks[0]?.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/)
    expect(chunks.filter(({ usage }) => usage != null)).toHaveLength(1)
  })

  it('puts calls together by their index', async () => {
    const toolCalls = tools.map((tool, index) => ({
      id: `call_${index}`,
      name: tool.function.name,
      arguments: '{"a":1}',
    }))
    gateway.engine().next(answer({ toolCalls }))
    const calls = new Map<number, { id: string; text: string }>()
    for (const { delta } of chunksOf(await stream({ tools })).flatMap(({ choices }) => choices ?? [])) {
      for (const { index, id, function: part } of (delta?.['tool_calls'] ?? []) as readonly ToolCallPiece[]) {
        const call = calls.get(index) ?? { id: id ?? '', text: '' }
        calls.set(index, { ...call, text: call.text + (part?.arguments ?? '') })
      }
    }
    expect([...calls.values()]).toEqual(toolCalls.map(({ id }) => ({ id, text: '{"a":1}' })))
  })

  it('makes and ends keys with UUIDs for ids', async () => {
    const made = dataOf(await asAdmin('/api_keys', 'POST', { apiKeyType: 'INFERENCE', description: 'of a program' }))
    expect(made['id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect((await asAdmin(`/api_keys?id=${made['id']}`, 'DELETE')).json).toEqual({ success: true })
  })
})

interface ToolCallPiece {
  readonly index: number
  readonly id?: string
  readonly function?: { readonly arguments?: string }
}

describe('a library for Python', () => {
  it('reads rates whose resets are Unix milliseconds', async () => {
    const before = Date.now()
    const { headers } = await ask(gateway, { model })
    for (const unit of ['requests', 'tokens']) {
      expect(Number(headers[`x-ratelimit-limit-${unit}`])).toBeGreaterThan(0)
      expect(Number(headers[`x-ratelimit-remaining-${unit}`])).toBeGreaterThan(0)
      expect(Number(headers[`x-ratelimit-reset-${unit}`])).toBeGreaterThanOrEqual(before - 1_000)
    }
  })

  it('raises what stands in an error inside of a stream, and reads [DONE] behind it', async () => {
    gateway.engine().next(errorEvent({ afterChunks: 1 }, answer({ text: ['Blue', '.'] })))
    const { events } = await stream()
    expect(JSON.parse(events.at(-2)?.data ?? '')).toMatchObject({
      error: { message: expect.any(String), type: expect.any(String), code: expect.any(String) },
    })
    expect(events.at(-1)?.data).toBe('[DONE]')
  })
})

describe('a suite of integration tests', () => {
  it('is refused a model that is not there, no messages, and a character that is not there', async () => {
    expect((await ask(gateway, { model: 'nope' })).status).toBe(404)
    expect((await refused(gateway, { model, messages: [] })).issues).toMatchObject([{ path: ['messages'] }])
    const { status, json } = await ask(gateway, { model, venice_parameters: { character_slug: 'nobody' } })
    expect([status, json.error]).toEqual([404, 'No character could be found from the provided character_slug'])
  })

  it('reads rates, refusals and slugs', async () => {
    expect(dataOf(await asAdmin('/api_keys/rate_limits'))).toMatchObject({
      accessPermitted: true,
      rateLimits: expect.arrayContaining([{ apiModelId: model, rateLimits: expect.any(Array) }]),
    })
    expect((await asAdmin('/api_keys/rate_limits/log')).json).toMatchObject({ object: 'list', data: expect.any(Array) })
    const characters = (await asAdmin('/characters')).json.data as readonly { readonly slug: string }[]
    expect(characters.length).toBe(1)
    for (const { slug } of characters) expect(slug).toMatch(/^[a-z0-9-]+$/)
  })

  it('gets as many choices as it asks for', async () => {
    const { json } = await ask(gateway, { model, n: 3, stop: ['.'], min_temp: 0.1, max_temp: 1.5 })
    expect(json.choices?.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(gateway.engine().requests[0]?.body).toMatchObject({ stop: ['.'], min_temp: 0.1, max_temp: 1.5 })
  })

  it('reads the name and the abilities of a model', async () => {
    const models = (await asAdmin('/models')).json.data as readonly { readonly model_spec: object }[]
    for (const { model_spec } of models)
      expect(model_spec).toMatchObject({ name: expect.any(String), capabilities: { supportsFunctionCalling: true } })
  })
})

describe('an editor', () => {
  it('asks for settings in the name of a model', async () => {
    const { json } = await ask(gateway, { model: 'qwen3-235b:strip_thinking_response=true' })
    expect(json.model).toBe('qwen3-235b')
    expect(json['venice_parameters']).toMatchObject({ strip_thinking_response: true })
  })

  it('puts venice- before a name that it would otherwise keep to itself', async () => {
    expect((await ask(gateway, { model: 'venice-qwen3-235b' })).json.model).toBe('qwen3-235b')
    expect((await ask(gateway, { model: 'Qwen3 235B' })).json.model).toBe('qwen3-235b')
  })
})
