import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { engineCall } from '../../../../test/support/engine-call.ts'
import { FakeTime } from '../../../../test/support/fake-time.ts'
import { testModel } from '../../../../test/support/model-builder.ts'
import type { CompletionEvent } from '../../../core/completion-event.ts'
import { measureMessages } from '../../../dialec../../core/measure-messages.ts'
import { holdBound } from '../../../domain/admission/hold-bound.ts'
import { readBody } from '../../../domain/engines/read-body.ts'
import type { EngineReply } from '../../../domain/engines/types.ts'
import { judgeUsage } from '../../../domain/usage/judge-usage.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, parseJsonBytes } from '../../../lib/json.ts'
import { collectCompletion } from '../../../pipeline/collect-completion.ts'
import { createSandboxEngine } from './sandbox-engine.ts'
import { countTokens } from './tokens.ts'

const time = new FakeTime(1_700_000_000_000)
const timeouts = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 540_000, streamTotalMs: 1_800_000 }
const engine = createSandboxEngine({
  ...{ id: 'embedded', maxConcurrency: 64, onDisconnect: 'cancel', timeouts },
  ...{ clock: time.clock, timers: time.timers },
})

type Prompt = Parameters<typeof engineCall>[0]

function open(prompt: Prompt, fields: JsonObject = {}): Promise<EngineReply> {
  return engine.open(engineCall(prompt, fields), new AbortController().signal)
}

async function events(prompt: Prompt, fields: JsonObject = {}): Promise<CompletionEvent[]> {
  const reply = await open(prompt, { stream: true, ...fields })
  if (reply.kind !== 'events') throw new Error(`not a success: ${reply.status}`)
  const all: CompletionEvent[] = []
  for await (const event of reply.events) all.push(event)
  return all
}

async function chunks(prompt: Prompt, fields: JsonObject = {}): Promise<Chunk[]> {
  return (await events(prompt, fields)).flatMap(event =>
    event.type === 'chunk' ? [event.chunk as unknown as Chunk] : [],
  )
}

async function collectAnswer(all: AsyncIterable<CompletionEvent>): Promise<Completion> {
  return (await collectCompletion(all)) as unknown as Completion
}

interface ToolCall {
  readonly id: string
  readonly index?: number
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
}

interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes: number[]
}

interface Choice {
  readonly index: number
  readonly message: {
    readonly content: string
    readonly refusal: string | null
    readonly reasoning_content?: string
    readonly tool_calls?: readonly ToolCall[]
  }
  readonly logprobs: {
    readonly content: readonly (TokenLogprob & { readonly top_logprobs: readonly TokenLogprob[] })[]
  }
  readonly finish_reason: string | null
}

/** An answer as a client reads it that trusts its shape. */
interface Completion {
  readonly object: string
  readonly model: string
  readonly created: number
  readonly choices: readonly [Choice, Choice, Choice]
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly prompt_tokens_details: JsonObject
    readonly completion_tokens_details: JsonObject
  }
}

interface Chunk {
  readonly choices: readonly [
    { readonly delta: { readonly content: string; readonly tool_calls?: readonly [ToolCall] } },
  ]
}

async function complete(prompt: Prompt, fields: JsonObject = {}): Promise<Completion> {
  const reply = await open(prompt, fields)
  if (reply.kind !== 'events') throw new Error(`not a success: ${reply.status}`)
  return collectAnswer(reply.events)
}

async function refusal(prompt: Prompt, fields: JsonObject = {}): Promise<{ status: number; error: JsonObject }> {
  const reply = await open(prompt, fields)
  if (reply.kind !== 'bytes') throw new Error('it was answered')
  const bytes = await readBody(reply.body, { bytesMax: 10_000, waitMs: 1_000, timers: time.timers })
  const body = parseJsonBytes(bytes)
  return { status: reply.status, error: isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {} }
}

describe('a plain answer', () => {
  it('says what it is and shows that it read the prompt', async () => {
    const { choices, model, created, object } = await complete('Hello there')
    expect(choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content:
            'This is rialto/sandbox, a test mode, not a language model. Your message has 2 tokens: “Hello there”.',
          refusal: null,
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ])
    expect({ model, created, object }).toEqual({ model: 'sandbox', created: 1_700_000_000, object: 'chat.completion' })
  })

  it('is the same for the same request', async () => {
    const fields = { n: 2, logprobs: true, reasoning_effort: 'low', seed: 7 }
    expect(await events('Hello', fields)).toEqual(await events('Hello', fields))
  })

  it('comes as role, then token by token, then the reason, then usage, then the end', async () => {
    const all = await events('Hello')
    const [role, ...pieces] = await chunks('Hello')
    expect(role?.choices[0].delta).toEqual({ role: 'assistant', content: '', refusal: null })
    for (const piece of pieces.slice(0, -1)) expect(countTokens(piece.choices[0].delta.content)).toBe(1)
    expect(pieces.at(-1)?.choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }])
    expect(all.slice(-2).map(event => event.type)).toEqual(['usage', 'end'])
  })

  it('does not look at what was meant for the gateway or is denied', async () => {
    const call = engineCall('Hello', { venym: {}, reasoning_effort: 'low' })
    const reply = await engine.open(
      { ...call, deniedKeys: new Set(['reasoning_effort']) },
      new AbortController().signal,
    )
    if (reply.kind !== 'events') throw new Error('refused')
    const { choices } = await collectAnswer(reply.events)
    expect(choices[0].message.reasoning_content).toBeUndefined()
  })

  it('counts parts that are not text', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
    const { choices } = await complete([{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }])
    expect(choices[0].message.content).toContain('Parts that are not text were not looked at: 1.')
  })
})

describe('options', () => {
  it('max_tokens is exactly the number of tokens, with the reason `length`', async () => {
    for (const limit of [1, 5, 9]) {
      const { choices, usage } = await complete('Hello there', { max_tokens: limit })
      expect(countTokens(choices[0].message.content)).toBe(limit)
      expect(choices[0].finish_reason).toBe('length')
      expect(usage.completion_tokens).toBe(limit)
    }
  })

  it('reasoning comes first, is counted and uses up the limit', async () => {
    const { choices, usage } = await complete('Hello', { reasoning_effort: 'low' })
    expect(countTokens(choices[0].message.reasoning_content ?? '')).toBe(16)
    expect(usage.completion_tokens_details).toEqual({ reasoning_tokens: 16 })
    expect(usage.completion_tokens).toBe(16 + countTokens(choices[0].message.content))
    const cut = await complete('Hello sandbox:reasoning=9', { reasoning: { effort: 'high' }, max_tokens: 4 })
    expect(cut.choices[0].message).toMatchObject({ content: '' })
    expect(cut.usage).toMatchObject({ completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 4 } })
  })

  it('logprobs belong to the tokens, are likeliest first and never more than certain', async () => {
    const { choices } = await complete('Hello', { logprobs: true, top_logprobs: 5 })
    const { content } = choices[0].logprobs
    expect(content.map(entry => entry.token).join('')).toBe(choices[0].message.content)
    for (const { token, bytes, logprob, top_logprobs: top } of content) {
      expect(Buffer.from(bytes).toString()).toBe(token)
      expect(top[0]).toEqual({ token, logprob, bytes })
      expect(top).toHaveLength(5)
      const probabilities = top.map(entry => Math.exp(entry.logprob))
      expect([...probabilities].sort((left, right) => right - left)).toEqual(probabilities)
      expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1)
    }
  })

  it('n gives that many answers in turn, and each says why it ended', async () => {
    const { choices, usage } = await complete('Hello', { n: 3 })
    expect(choices.map(choice => [choice.index, choice.finish_reason])).toEqual([
      [0, 'stop'],
      [1, 'stop'],
      [2, 'stop'],
    ])
    expect(choices[2].message.content).toContain('This is choice 3 of 3.')
    const tokens = choices.map(choice => countTokens(choice.message.content))
    expect(usage.completion_tokens).toBe(tokens.reduce((sum, count) => sum + count, 0))
  })

  it('stop ends the text before the first of the words', async () => {
    const { choices } = await complete('Hello', { stop: ['language', 'mode,'] })
    expect(choices[0].message.content).toBe('This is rialto/sandbox, a test ')
    expect(choices[0].finish_reason).toBe('stop')
  })

  it.each([
    [{ stop: 3 }, 'stop'],
    [{ stop: [''] }, 'stop'],
    [{ logprobs: 3 }, 'logprobs'],
    [{ top_logprobs: 3 }, 'top_logprobs'],
    [{ logprobs: true, top_logprobs: 21 }, 'top_logprobs'],
    [{ reasoning_effort: 'endless' }, 'reasoning_effort'],
    [{ reasoning: { effort: 3 } }, 'reasoning.effort'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.schema'],
    [{ tools: [{ type: 'function' }] }, 'tools.0'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tool_choice: { type: 'function', function: { name: 'none' } } }, 'tool_choice'],
  ])('that are wrong are refused with 400: %j', async (fields, param) => {
    expect(await refusal('Hello', fields as JsonObject)).toMatchObject({
      status: 400,
      error: { type: 'invalid_request_error', param, code: 'invalid_value', message: expect.any(String) },
    })
  })

  it('more text than the context holds is refused', async () => {
    expect(await refusal('x '.repeat(131_100))).toMatchObject({
      status: 400,
      error: { code: 'context_length_exceeded' },
    })
  })
})

describe('JSON', () => {
  const person = z.object({ name: z.string(), age: z.int().min(0), mail: z.email(), tags: z.array(z.string()).min(1) })
  const schema = z.toJSONSchema(person) as JsonObject

  it.each([
    ['json_schema.schema', { json_schema: { name: 'person', strict: true, schema } }],
    ['json_schema itself', { json_schema: schema }],
    ['schema beside the type', { schema }],
  ])('is valid for a schema in %s', async (_, place) => {
    const { choices } = await complete('Who?', { response_format: { type: 'json_schema', ...place } as JsonObject })
    expect(person.safeParse(parseJson(choices[0].message.content)).error).toBeUndefined()
  })

  it('is an object that says what it is when no schema is given', async () => {
    const { choices } = await complete('Who?', { response_format: { type: 'json_object' } })
    expect(parseJson(choices[0].message.content)).toEqual({ notice: expect.stringContaining('a test mode') })
  })

  it('that is not possible is refused, and the schema is named', async () => {
    const format = { type: 'json_schema', json_schema: { schema: { pattern: '(?<=a)b' } } }
    const { status, error } = await refusal('Who?', { response_format: format })
    expect([status, error['code'], error['param']]).toEqual([
      400,
      'invalid_schema',
      'response_format.json_schema.schema',
    ])
    expect(error['message']).toContain('looks behind')
  })
})

describe('tools', () => {
  const city = z.object({ city: z.string().min(2), unit: z.enum(['c', 'f']) })
  const weather = { name: 'get_weather', parameters: z.toJSONSchema(city) as JsonObject }
  const tools = [
    { type: 'function', function: weather },
    { type: 'function', function: { name: 'get_time' } },
  ]

  it('are called, the first one, with valid arguments and without text', async () => {
    const { choices, usage } = await complete('Weather?', { tools })
    const { message, finish_reason: reason } = choices[0]
    expect([reason, message.content, message.tool_calls?.length]).toEqual(['tool_calls', null, 1])
    const [call] = message.tool_calls ?? []
    expect([call?.type, call?.function.name]).toEqual(['function', 'get_weather'])
    expect(call?.id).toMatch(/^call_[0-9a-f]{24}$/)
    const text = call?.function.arguments ?? ''
    expect(city.safeParse(parseJson(text)).error).toBeUndefined()
    expect(usage.completion_tokens).toBe(1 + countTokens(text))
  })

  it.each([
    ['required', 'get_weather'],
    [{ type: 'function', function: { name: 'get_time' } }, 'get_time'],
  ])('are called as tool_choice says: %j', async (choice, name) => {
    const { choices } = await complete('Weather?', { tools, tool_choice: choice as JsonValue })
    expect(choices[0].message.tool_calls?.[0]?.function).toEqual({ name, arguments: expect.any(String) })
  })

  it('are not called when the caller chose none', async () => {
    const { choices } = await complete('Weather?', { tools, tool_choice: 'none' })
    expect([choices[0].finish_reason, choices[0].message.tool_calls]).toEqual(['stop', undefined])
  })

  it('are answered with a text that quotes the result', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }
    const conversation = [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '21 degrees' },
    ]
    const { choices } = await complete(conversation, { tools, tool_choice: 'required' })
    expect(choices[0].message.content).toContain('The tool answered “21 degrees”.')
    expect(choices[0].finish_reason).toBe('stop')
  })

  it('are called in parallel on demand, with different ids, unless the caller forbids it', async () => {
    const { choices } = await complete('Weather? sandbox:parallel-tools=3', { tools })
    const calls = choices[0].message.tool_calls ?? []
    expect(calls.map(call => call.function.name)).toEqual(['get_weather', 'get_time', 'get_weather'])
    expect(new Set(calls.map(call => call.id)).size).toBe(3)
    const single = await complete('Weather? sandbox:parallel-tools=3', { tools, parallel_tool_calls: false })
    expect(single.choices[0].message.tool_calls).toHaveLength(1)
  })

  it('that a magic input names are called, or the request is refused', async () => {
    const { choices } = await complete('sandbox:tool=get_time', { tools })
    expect(choices[0].message.tool_calls?.[0]?.function).toEqual({ name: 'get_time', arguments: '{}' })
    expect(await refusal('sandbox:tool=get_money', { tools })).toMatchObject({ status: 400 })
  })

  it('stream as an id and a name, then pieces of the arguments', async () => {
    const deltas = (await chunks('Weather?', { tools })).map(chunk => chunk.choices[0].delta)
    const [role, head, ...pieces] = deltas
    expect(role).toEqual({ role: 'assistant', content: null, refusal: null })
    expect(head?.tool_calls?.[0]).toMatchObject({
      index: 0,
      type: 'function',
      function: { name: 'get_weather', arguments: '' },
    })
    const text = pieces.map(piece => piece.tool_calls?.[0].function.arguments ?? '').join('')
    expect(isJsonObject(parseJson(text))).toBe(true)
  })
})

describe('magic answers', () => {
  it('echo gives the prompt back without magic inputs', async () => {
    const { choices } = await complete('sandbox:echo Say  this\nexactly.')
    expect(choices[0].message.content).toBe('Say  this\nexactly.')
  })

  it('tokens and tokens-per-chunk say how much comes and how', async () => {
    const { usage } = await complete('sandbox:tokens=250')
    expect(usage.completion_tokens).toBe(250)
    expect(await chunks('sandbox:tokens=250 sandbox:tokens-per-chunk=100')).toHaveLength(1 + 3 + 1)
  })

  it('large comes in one chunk', async () => {
    const [, large] = await chunks('sandbox:large=250000')
    expect(large?.choices[0].delta.content).toHaveLength(250_000)
  })

  it('over-limit sends more than was allowed', async () => {
    const { choices } = await complete('sandbox:over-limit', { max_tokens: 10 })
    expect(countTokens(choices[0].message.content)).toBe(74)
  })

  it('empty, refusal and finish', async () => {
    expect((await complete('sandbox:empty')).choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'stop',
    })
    const refused = (await complete('sandbox:refusal')).choices[0].message
    expect(refused).toEqual({ role: 'assistant', content: null, refusal: expect.stringContaining('asked to refuse') })
    expect((await complete('sandbox:finish=content_filter')).choices[0].finish_reason).toBe('content_filter')
    expect((await complete('sandbox:no-finish')).choices[0].finish_reason).toBeNull()
  })

  it('unknown ones are refused', async () => {
    expect(await refusal('sandbox:nothing')).toMatchObject({ status: 400, error: { code: 'unknown_magic_input' } })
  })
})

describe('usage', () => {
  const bounds = { promptTokensBound: 100, choices: 1, outputLimit: 100 }
  const reports = async (prompt: string) =>
    (await events(prompt)).flatMap(event => (event.type === 'usage' ? [judgeUsage(event.usage, bounds).verdict] : []))

  it.each([
    ['', ['plausible']],
    ['sandbox:no-usage', []],
    ['sandbox:usage=zero', ['plausible']],
    ['sandbox:usage=negative', ['implausible']],
    ['sandbox:usage=huge', ['implausible']],
    ['sandbox:usage=text', ['implausible']],
    ['sandbox:usage=twice', ['plausible', 'plausible']],
    ['sandbox:usage=shrinking', ['plausible', 'plausible']],
  ])('with %s is reported and judged as %j', async (input, verdicts) => {
    expect(await reports(`Hello ${input}`)).toEqual(verdicts)
  })

  it('shrinks within an answer when that is wanted', async () => {
    const counts = (await events('Hello sandbox:usage=shrinking')).flatMap(event =>
      event.type === 'usage' ? [Number(event.usage['completion_tokens'])] : [],
    )
    expect(counts[1]).toBeLessThan(counts[0] ?? 0)
  })

  it('shows cached and written tokens as parts of the prompt, never more', async () => {
    const few = await complete('one two three four sandbox:cached=2 sandbox:cache-write=1')
    expect(few.usage.prompt_tokens_details).toEqual({ cached_tokens: 2, cache_write_tokens: 1 })
    const { usage } = await complete('one two sandbox:cached=100 sandbox:cache-write=100')
    expect(usage.prompt_tokens_details).toEqual({ cached_tokens: usage.prompt_tokens, cache_write_tokens: 0 })
    expect(usage.prompt_tokens).toBeLessThan(100)
  })

  it('is within what the gateway holds, whatever the messages are', async () => {
    const content = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(
        fc.string().map(text => ({ type: 'text', text })),
        { maxLength: 3 },
      ),
    )
    const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content })
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (messages, maxTokens, n) => {
          const call = engineCall(messages as JsonObject[], { max_tokens: maxTokens, n })
          const reply = await engine.open(call, new AbortController().signal)
          if (reply.kind !== 'events') return
          const { usage } = await collectCompletion(reply.events)
          const size = measureMessages(messages as JsonObject[], call.body.bytes.length)
          const { promptTokens } = holdBound(size, testModel({ contextTokens: 131_072 }))
          const judged = judgeUsage(usage, { promptTokensBound: promptTokens, choices: n, outputLimit: maxTokens })
          expect(judged.verdict).toBe('plausible')
        },
      ),
    )
  })
})
