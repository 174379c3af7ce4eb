import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAnthropicEngine } from '../../src/adapters/engines/anthropic/anthropic-engine.ts'
import type { Engine } from '../../src/domain/engines/engine.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { apiError, type MessageOptions, message } from '../support/mock-anthropic/index.ts'
import * as mock from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { completionOf, errorOf, eventsOf } from './collect-events.ts'
import { hostedCall, hostedKey, hostedOptions, user } from './hosted-engine.ts'

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

async function sent(body: JsonObject) {
  const reply = await engine.open(hostedCall(body), never)
  if (reply.kind === 'events') await eventsOf(reply)
  else throw new Error(`refused: ${JSON.stringify(await errorOf(reply))}`)
  return node.requests.at(-1)?.body ?? {}
}

async function answered(options: MessageOptions, body: JsonObject = {}) {
  node.next(message(options))
  return completionOf(await engine.open(hostedCall(body), never))
}

describe.each([true, false])('an answer, streamed: %s', stream => {
  it('comes as one choice with its usage', async () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 30,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 4 },
    }
    const { completion, message: said, finishReason, usage: report } = await answered({ usage }, { stream })
    expect(completion).toMatchObject({ id: 'msg_01ABC', object: 'chat.completion', created: expect.any(Number) })
    expect([said, finishReason]).toEqual([{ role: 'assistant', content: 'Hello there' }, 'stop'])
    expect(report).toEqual({
      prompt_tokens: 240,
      completion_tokens: 7,
      total_tokens: 247,
      prompt_tokens_details: { cached_tokens: 200, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 4 },
    })
  })

  it('calls tools, with arguments that are JSON also where there are none', async () => {
    const blocks = [
      { type: 'text', text: 'Wait.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { städte: ['東京'] } },
      { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
    ] as const
    const { message: said, finishReason } = await answered({ blocks, stopReason: 'tool_use' }, { stream })
    expect([said, finishReason]).toEqual([
      {
        role: 'assistant',
        content: 'Wait.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'look_up', arguments: '{"städte":["東京"]}' } },
          { id: 'toolu_2', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      'tool_calls',
    ])
  })

  it('brings signed thoughts, which go back to where they stood', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'First this.', signature: 'sig-1' },
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'text', text: 'So.' },
      { type: 'thinking', thinking: '', signature: 'sig-2' },
      { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { a: 1 } },
    ] as const
    const { message: said } = await answered({ blocks, stopReason: 'tool_use' }, { stream })
    expect(said).toMatchObject({ content: 'So.', reasoning_content: 'First this.' })
    const messages = [user, Object(said), { role: 'tool', tool_call_id: 'toolu_1', content: 'two' }]
    const body = await sent({ messages, tools: [tool] })
    expect(body['messages']).toMatchObject([{}, { role: 'assistant', content: blocks }, {}])
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'stop'],
  ])('that ended with %s ends with %s', async (stopReason, reason) => {
    expect((await answered({ stopReason }, { stream })).finishReason).toBe(reason)
  })

  it('that was refused without a word is empty, not broken', async () => {
    const { message: said, finishReason } = await answered({ blocks: [], stopReason: 'refusal' }, { stream })
    expect([said, finishReason]).toEqual([{ role: 'assistant', content: '' }, 'content_filter'])
  })

  it('of another model says nothing of the change', async () => {
    const blocks = [
      { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
      { type: 'text', text: 'Here.' },
    ] as const
    expect((await answered({ blocks }, { stream })).message).toEqual({ role: 'assistant', content: 'Here.' })
  })
})

describe('a stream', () => {
  it('says nothing before the first content, so that another engine can take over', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded', afterEvents: 3 }
    node.next(message({ error }))
    const reply = await engine.open(hostedCall({ stream: true }), never)
    await expect(eventsOf(reply)).rejects.toMatchObject({ kind: 'bad_answer' })
  })

  it.each([
    [
      'an error in the middle',
      message({ error: { type: 'api_error', message: 'Oops', afterEvents: 4 } }),
      'bad_answer',
    ],
    ['silence', mock.hang({ chunks: 1 }, message()), 'idle_timeout'],
    ['a lost connection', mock.reset({ chunks: 1 }, message()), 'reset'],
    ['garbage', mock.garbageAfter(1, 'notJson', message()), 'bad_answer'],
    ['a page', mock.garbageStream('jsonArray'), 'bad_answer'],
  ])('that meets %s ends with a fault', async (_what, behaviour, kind) => {
    node.next(behaviour)
    const reply = await engine.open(hostedCall({ stream: true }), never)
    await expect(eventsOf(reply)).rejects.toMatchObject({ kind })
  })

  it('that ends early has no reason for its end', async () => {
    node.next(message({ eventsMax: 5 }))
    const events = await eventsOf(await engine.open(hostedCall({ stream: true }), never))
    expect(JSON.stringify(events)).not.toContain('"finish_reason":"')
  })

  it.each([1, 7])('is understood however it is cut: %s bytes', async bytes => {
    node.next(mock.splitEvery(bytes, message({ blocks: [{ type: 'text', text: '東京 👍 straße' }] })))
    const { message: said } = await completionOf(await engine.open(hostedCall({ stream: true }), never))
    expect(said).toEqual({ role: 'assistant', content: '東京 👍 straße' })
  })

  it('that nobody wants any more closes its socket', async () => {
    node.next(message({ everyMs: 50, blocks: [{ type: 'text', text: 'word '.repeat(200) }] }))
    const leaving = new AbortController()
    const reply = await engine.open(hostedCall({ stream: true }), leaving.signal)
    const reading = eventsOf(reply)
    setTimeout(() => leaving.abort(), 120)
    await expect(reading).rejects.toMatchObject({ kind: 'aborted' })
    await waitFor('the socket to close', () => node.requests[0]?.ending === 'peer-closed')
  })

  it('whose reader stops closes its socket too', async () => {
    node.next(message({ everyMs: 50, blocks: [{ type: 'text', text: 'word '.repeat(200) }] }))
    const reply = await engine.open(hostedCall({ stream: true }), never)
    if (reply.kind === 'events') for await (const _event of reply.events) break
    await waitFor('the socket to close', () => node.requests[0]?.ending === 'peer-closed')
  })
})

describe('an error of the API', () => {
  it.each([
    [400, 'invalid_request_error', 'messages: roles must alternate', 400, null],
    [
      400,
      'invalid_request_error',
      'prompt is too long: 208310 tokens > 200000 maximum',
      400,
      'context_length_exceeded',
    ],
    [400, 'invalid_request_error', 'Your credit balance is too low. Please go to Plans & Billing.', 403, null],
    [401, 'authentication_error', 'invalid x-api-key', 401, null],
    [402, 'billing_error', 'Pay', 403, null],
    [404, 'not_found_error', 'model: no', 404, null],
    [413, 'request_too_large', 'Request exceeds the maximum size', 413, null],
    [429, 'rate_limit_error', 'Slow down', 429, null],
    [500, 'api_error', 'Internal server error', 500, null],
    [529, 'overloaded_error', 'Overloaded', 429, null],
  ])('%s %s "%s" counts as %s', async (code, type, words, status, errorCode) => {
    node.next(apiError(code, type, words, [['retry-after', '7']]))
    expect(await errorOf(await engine.open(hostedCall({}), never))).toMatchObject({
      status,
      message: words,
      type,
      code: errorCode,
      retryAfterMs: 7_000,
    })
  })

  it('that is no JSON keeps its status', async () => {
    node.next(mock.status(502, { body: mock.errorBodies.html('Bad gateway') }))
    expect(await errorOf(await engine.open(hostedCall({}), never))).toMatchObject({ status: 502 })
  })

  it.each([
    ['an HTML page', mock.errorBodies.html('Welcome')],
    ['another object', mock.errorBodies.messageOnly('Hello')],
  ])('is also %s with status 200', async (_what, body) => {
    node.next(mock.status(200, { body }))
    await expect(eventsOf(await engine.open(hostedCall({}), never))).rejects.toMatchObject({ kind: 'bad_answer' })
  })
})

it('is asked for its models when its health is in question', async () => {
  await engine.probe(never)
  expect(node.probes[0]).toMatchObject({ path: '/v1/models', headers: { 'x-api-key': hostedKey } })
})
