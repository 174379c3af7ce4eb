import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { GgufProcess } from '../../src/adapters/engines/gguf-process.ts'
import { writeTinyGguf } from '../support/tiny-gguf.ts'
import { type Call, type Client, createGgufClient } from './gguf-client.ts'
import { prepareGguf } from './prepare-gguf.ts'
import { startGguf } from './start-gguf.ts'

/** More than the fixture was made for, so that an answer takes seconds and can be interrupted. */
const contextTokens = 8_192

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]

const obstacle = await prepareGguf()
const suite = obstacle === undefined ? describe : describe.skip

suite(`the GGUF engine${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`, () => {
  let folder = ''
  let engine: GgufProcess
  let client: Client

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-gguf-'))
    await writeTinyGguf(join(folder, 'tiny.gguf'))
    engine = await startGguf(join(folder, 'tiny.gguf'), { contextTokens })
    client = createGgufClient(engine)
  })

  afterAll(async () => {
    await engine?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  describe('the model', () => {
    it('is listed with its context and lets nobody else in', async () => {
      const headers = { authorization: `Bearer ${engine.apiKey}` }
      const list = (await (await fetch(`${engine.baseUrl}/models`, { headers })).json()) as { data: unknown[] }
      expect(list.data).toMatchObject([{ id: 'tiny', object: 'model', max_model_len: contextTokens }])
      const props = await (await fetch(engine.baseUrl.replace('/v1', '/props'), { headers })).json()
      expect(props).toMatchObject({ default_generation_settings: { n_ctx: contextTokens }, threads: 1 })
      expect((await fetch(`${engine.baseUrl}/models`)).status).toBe(401)
      expect(engine).toMatchObject({ modelName: 'tiny', contextTokens })
    })
  })

  describe('an answer', () => {
    it('ends at its token limit and counts exactly what was generated', async () => {
      const before = await client.health()
      const answer = await client.chat({ max_tokens: 24 })
      const after = await client.health()
      expect(answer.choices).toHaveLength(1)
      expect(answer.choices[0]).toMatchObject({ index: 0, finish_reason: 'length' })
      expect(answer.usage.completion_tokens).toBe(24)
      expect(after.generated_tokens - before.generated_tokens).toBe(24)
      expect(answer.usage.total_tokens).toBe(answer.usage.prompt_tokens + 24)
    })

    it('counts the prompt as the chat template renders it', async () => {
      const turn = (content: string) => ({ role: 'user', content })
      const [short, long] = await Promise.all([
        client.chat({ max_tokens: 1, messages: [turn('x')] }),
        client.chat({ max_tokens: 1, messages: [turn('xqxq'), { role: 'assistant', content: 'x' }, turn('x')] }),
      ])
      // Begin mark, user mark, one letter, end mark, assistant mark; then 3 letters and 2 turns of 3 tokens more.
      expect(short.usage.prompt_tokens).toBe(5)
      expect(long.usage.prompt_tokens).toBe(5 + 3 + 6)
    })

    it('takes marks of the chat template in a message for plain text', async () => {
      const content = '<|end|><|system|>'
      const { usage } = await client.chat({ max_tokens: 1, messages: [{ role: 'user', content }] })
      expect(usage.prompt_tokens).toBeGreaterThan(4 + 10)
    })

    it('is the same for the same seed, whole or streamed, and another for another', async () => {
      const body = { max_tokens: 60, seed: 7, temperature: 1 }
      const first = await client.chat(body)
      await client.chat({ max_tokens: 5, messages: [{ role: 'user', content: 'something else' }] })
      const { chunks, done } = await client.stream(body)
      const streamed = chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')
      expect(streamed).toBe(first.choices[0]?.message.content)
      expect(streamed.length).toBeGreaterThan(30)
      expect(done).toBe(1)
      expect((await client.chat({ ...body, seed: 8 })).choices[0]?.message.content).not.toBe(streamed)
    })

    it('streams the role first, the reason to end last, and usage only when asked', async () => {
      const { chunks } = await client.stream({ max_tokens: 6, stream_options: { include_usage: true } })
      expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
      expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length')
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 6 } })
      expect(chunks.slice(0, -2).every(chunk => chunk.choices[0]?.finish_reason === null)).toBe(true)
      const plain = await client.stream({ max_tokens: 6 })
      expect(plain.chunks.some(chunk => chunk.usage !== undefined)).toBe(false)
    })

    it('ends before a stop sequence and says so', async () => {
      const body = { max_tokens: 80, seed: 11, temperature: 1 }
      const text = (await client.chat(body)).choices[0]?.message.content ?? ''
      const stop = text.slice(20, 23)
      const stopped = await client.chat({ ...body, stop: ['never in there', stop] })
      expect(stopped.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: text.slice(0, text.indexOf(stop)) },
      })
      const { chunks } = await client.stream({ ...body, stop })
      const streamed = chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')
      expect(streamed).toBe(text.slice(0, text.indexOf(stop)))
    })

    it('comes n times, each different, the prompt counted once', async () => {
      const answer = await client.chat({ n: 3, max_tokens: 20, seed: 3, temperature: 1 })
      const texts = answer.choices.map(choice => choice.message.content)
      expect(answer.choices.map(choice => choice.index)).toEqual([0, 1, 2])
      expect(new Set(texts).size).toBe(3)
      expect(answer.usage.completion_tokens).toBe(60)
      expect(answer.usage.prompt_tokens).toBe((await client.chat({ max_tokens: 1 })).usage.prompt_tokens)
      const { chunks } = await client.stream({ n: 3, max_tokens: 20, seed: 3, temperature: 1 })
      const third = chunks.flatMap(chunk => chunk.choices).filter(choice => choice.index === 2)
      expect(third.map(choice => choice.delta.content ?? '').join('')).toBe(texts[2])
    })

    it('reuses the evaluated start of a conversation and reports it as cached', async () => {
      const system = { role: 'system', content: 'a long house rule that does not change '.repeat(4) }
      const ask = (content: string) => client.chat({ max_tokens: 2, messages: [system, { role: 'user', content }] })
      await ask('one')
      const { usage } = await ask('two')
      expect(usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(usage.prompt_tokens / 2)
      expect(usage.prompt_tokens_details.cached_tokens).toBeLessThan(usage.prompt_tokens)
    })
  })

  describe('response_format', () => {
    const address = { type: 'object', properties: { street: { type: 'string', maxLength: 12 } }, required: ['street'] }
    const schemas: Record<string, object> = {
      scalars: object({
        name: { type: 'string', minLength: 2, maxLength: 8 },
        age: { type: 'integer', minimum: -17, maximum: 1_203 },
        ratio: { type: 'number' },
        ok: { type: 'boolean' },
        none: { type: 'null' },
      }),
      choices: object({
        city: { enum: ['Rome', 'Bern'] },
        kind: { const: 'a"b\\c\n' },
        either: { type: ['integer', 'null'] },
      }),
      lists: object({
        pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'boolean' }], items: false },
        some: { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 4 },
        none: { type: 'array', items: { type: 'boolean' }, maxItems: 0 },
      }),
      references: {
        ...object({ home: { $ref: '#/$defs/address' }, work: { $ref: '#/$defs/address' } }),
        $defs: { address },
      },
      union: object({
        event: {
          oneOf: [
            object({ type: { const: 'open' }, at: { type: 'string', format: 'date-time' } }),
            object({ type: { const: 'close' }, code: { type: 'integer', exclusiveMinimum: 3, maximum: 99 } }),
          ],
        },
      }),
    }

    it.each(Object.entries(schemas))('makes noise follow a schema of %s', async (_name, schema) => {
      const validator = z.fromJSONSchema(schema as JsonSchema)
      for (const seed of [1, 2, 3, 4]) {
        const response_format = { type: 'json_schema', json_schema: { name: 'thing', strict: true, schema } }
        const answer = await client.chat({ response_format, seed, temperature: 1, max_tokens: 1_000 })
        const content = answer.choices[0]?.message.content ?? ''
        expect(answer.choices[0]?.finish_reason, content).toBe('stop')
        expect(validator.safeParse(JSON.parse(content)).error, content).toBeUndefined()
      }
    })

    it('leaves optional properties out now and then, never required ones', async () => {
      const properties = { a: { type: 'boolean' }, b: { type: 'boolean' }, c: { type: 'boolean' } }
      const schema = { type: 'object', properties, required: ['b'] }
      const shapes = new Set<string>()
      for (let seed = 0; seed < 12; seed += 1) {
        const response_format = { type: 'json_schema', json_schema: { name: 'thing', schema } }
        const answer = await client.chat({ response_format, seed, temperature: 1, max_tokens: 200 })
        shapes.add(Object.keys(JSON.parse(answer.choices[0]?.message.content ?? '')).join(''))
      }
      expect(shapes.size).toBeGreaterThan(1)
      for (const shape of shapes) expect(['b', 'ab', 'bc', 'abc']).toContain(shape)
    })

    it('gives an object for json_object, also streamed', async () => {
      const { chunks } = await client.stream({ response_format: { type: 'json_object' }, seed: 4, max_tokens: 400 })
      const content = chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')
      expect(JSON.parse(content)).toBeTypeOf('object')
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
    })
  })

  describe('tools', () => {
    const parameters = object({ city: { enum: ['Rome', 'Bern'] }, ok: { type: 'boolean' } })
    const tools = [
      { type: 'function', function: { name: 'get_weather', description: 'Weather of a city', parameters } },
      { type: 'function', function: { name: 'now' } },
    ]
    const body = { tools, parallel_tool_calls: false, max_tokens: 300, temperature: 1 }

    it('are called by name with arguments that follow the schema', async () => {
      const seen = new Set<string>()
      for (let seed = 0; seed < 6; seed += 1) {
        const answer = await client.chat({ ...body, seed })
        expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
        const call = onlyCall(answer.choices[0]?.message.tool_calls)
        seen.add(call.function.name)
        if (call.function.name === 'now') expect(call.function.arguments).toBe('{}')
        else z.fromJSONSchema(parameters as JsonSchema).parse(JSON.parse(call.function.arguments))
      }
      expect([...seen].sort()).toEqual(['get_weather', 'now'])
    })

    it('stream their arguments in pieces that join to the whole', async () => {
      const whole = onlyCall((await client.chat({ ...body, seed: 4 })).choices[0]?.message.tool_calls)
      const { chunks } = await client.stream({ ...body, seed: 4 })
      const pieces = chunks.flatMap(chunk => chunk.choices[0]?.delta.tool_calls ?? [])
      expect(pieces.map(piece => piece.function.arguments ?? '').join('')).toBe(whole.function.arguments)
      expect(pieces.length).toBeGreaterThan(3)
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
    })

    it('take their result back and the model goes on in words', async () => {
      const call = onlyCall((await client.chat({ ...body, seed: 4 })).choices[0]?.message.tool_calls)
      const messages = [
        { role: 'user', content: 'hello there' },
        { role: 'assistant', content: null, tool_calls: [{ ...call, type: 'function' }] },
        { role: 'tool', tool_call_id: call.id, content: '21 degrees' },
      ]
      const answer = await client.chat({ ...body, max_tokens: 12, seed: 4, messages })
      expect(answer.choices[0]).toMatchObject({ finish_reason: 'length' })
      expect(answer.choices[0]?.message.content).not.toBe('')
      const orphan = await client.refusal({ ...body, messages: [messages[0], messages[1]] })
      expect(orphan).toMatchObject({ status: 400, error: { param: 'messages[1].tool_calls' } })
    })

    it('are not called when tool_choice is none', async () => {
      const answer = await client.chat({ ...body, tool_choice: 'none', max_tokens: 10 })
      expect(answer.choices[0]).toMatchObject({ finish_reason: 'length' })
    })
  })

  describe('a bad request', () => {
    const circle = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } } }
    const schemaWith = (schema: object): object => ({
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    })
    it.each<[string, object, string]>([
      ['no messages', { messages: [] }, 'messages'],
      ['an unknown role', { messages: [{ role: 'king', content: 'x' }] }, 'messages[0].role'],
      ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'messages[0].content[0].type'],
      ['a fractional limit', { max_tokens: 1.5 }, 'max_tokens'],
      ['a limit of zero', { max_completion_tokens: 0 }, 'max_completion_tokens'],
      ['too many answers', { n: 9 }, 'n'],
      ['a heat beyond 2', { temperature: 2.1 }, 'temperature'],
      ['an empty stop', { stop: ['a', ''] }, 'stop'],
      ['a stream that is a word', { stream: 'yes' }, 'stream'],
      ['log probabilities', { logprobs: true }, 'logprobs'],
      ['a forced call', { tool_choice: 'required' }, 'tool_choice'],
      ['a schema that is a circle', schemaWith(circle), 'response_format.json_schema.schema'],
      [
        'a keyword no grammar keeps',
        schemaWith({ type: 'string', pattern: '^a' }),
        'response_format.json_schema.schema',
      ],
    ])('with %s is a 400 that names the field', async (_name, body, param) => {
      const { status, error } = await client.refusal(body)
      expect(status).toBe(400)
      expect(error.param).toBe(param)
      expect(error.type).toBe('invalid_request_error')
    })

    it('is refused in the same shape when it is no request at all', async () => {
      expect(await client.refusal('{"model":')).toMatchObject({ status: 400, error: { code: 'invalid_json' } })
      expect(await client.refusal({ model: 'other' })).toMatchObject({
        status: 404,
        error: { code: 'model_not_found' },
      })
      expect(await client.refusal('x'.repeat(4_194_305))).toMatchObject({
        status: 413,
        error: { code: 'body_too_large' },
      })
    })

    it('with a prompt beyond the context is a 400 before anything is generated', async () => {
      const before = await client.health()
      const messages = [{ role: 'user', content: 'x'.repeat(contextTokens) }]
      const { status, error } = await client.refusal({ messages, stream: true })
      expect(status).toBe(400)
      expect(error).toMatchObject({ code: 'context_length_exceeded', param: 'messages' })
      expect((await client.health()).generated_tokens).toBe(before.generated_tokens)
    })
  })

  describe('under load', () => {
    it('stops generating when the caller leaves, and serves the next', async () => {
      const before = await client.health()
      const leaving = new AbortController()
      const response = await client.post({ stream: true }, leaving.signal)
      const reader = response.body?.getReader()
      await reader?.read()
      expect((await client.health()).running).toBe(1)
      leaving.abort()
      const stopped = await client.idle()
      expect(stopped.generated_tokens - before.generated_tokens).toBeLessThan(contextTokens / 2)
      await sleep(100)
      expect((await client.health()).generated_tokens).toBe(stopped.generated_tokens)
      expect((await client.chat({ max_tokens: 3 })).usage.completion_tokens).toBe(3)
    })

    it('stops reading a long prompt when the caller leaves', async () => {
      const leaving = new AbortController()
      const messages = [{ role: 'user', content: 'x'.repeat(contextTokens - 100) }]
      const outcome = client.post({ messages, seed: 1 }, leaving.signal).catch(() => 'left')
      while ((await client.health()).running === 0) await sleep(5)
      const before = await client.health()
      const since = performance.now()
      leaving.abort()
      expect(await outcome).toBe('left')
      expect((await client.idle()).generated_tokens).toBe(before.generated_tokens)
      expect(performance.now() - since).toBeLessThan(1_000)
    })

    it('lets 16 wait, tells the next to come back, and forgets those who leave the queue', async () => {
      const leaving = new AbortController()
      const outcomes = Array.from({ length: 17 }, () =>
        client.post({ max_tokens: 8_000 }, leaving.signal).catch(() => 'left'),
      )
      while ((await client.health()).waiting < 16) await sleep(5)
      const { status, retryAfter, error } = await client.refusal({ max_tokens: 1 })
      expect(status).toBe(429)
      expect(error).toMatchObject({ code: 'engine_overloaded', type: 'rate_limit_error' })
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
      leaving.abort()
      expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['left']))
      await client.idle()
    })
  })
})

function object(properties: Record<string, object>): {
  type: 'object'
  properties: object
  required: string[]
  additionalProperties: false
} {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function onlyCall(calls: readonly Call[] | undefined): Call {
  expect(calls).toHaveLength(1)
  return calls?.[0] as Call
}
