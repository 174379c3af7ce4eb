import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { jsonEvents, openSse, readSse } from '../read-sse.ts'
import { askEngine, streamedText } from './ask-engine.ts'
import { answer, type MockEngine, sseStyles, startMockEngine, usagePlans, usageValue } from './index.ts'

let engine: MockEngine

beforeEach(async () => {
  engine = await startMockEngine()
})
afterEach(() => engine.close())

async function completion(body: Record<string, unknown> = {}) {
  const { response, connection } = await askEngine(engine, body)
  connection.destroy()
  return JSON.parse(response?.text ?? '')
}

function stream(body: Record<string, unknown> = {}) {
  return readSse({
    url: `${engine.url}/chat/completions`,
    body: { model: 'm', stream: true, stream_options: { include_usage: true }, ...body },
  })
}

describe('an answer without stream', () => {
  test('is a chat.completion with the model asked for, the text and usage', async () => {
    engine.always(answer({ text: 'one two three', promptTokens: 5, cachedTokens: 2 }))
    expect(await completion()).toEqual({
      id: 'mock-0',
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'one two three' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 3,
        total_tokens: 8,
        prompt_tokens_details: { cached_tokens: 2 },
      },
    })
    expect(engine.servedTokens).toBe(3)
  })

  test('carries reasoning, tool calls, logprobs, n choices and extra fields', async () => {
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' }
    engine.always(answer({ reasoning: 'let me think', toolCalls: [call], n: 2, extraFields: { custom: [1] } }))
    const body = await completion()
    expect(body.custom).toEqual([1])
    expect(body.choices).toHaveLength(2)
    expect(body.choices[1]).toEqual({
      index: 1,
      message: {
        role: 'assistant',
        content: null,
        reasoning_content: 'let me think',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: call.arguments } }],
      },
      finish_reason: 'tool_calls',
    })
    expect(body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 6 })
    engine.always(answer({ text: choice => `choice ${choice}` }))
    const counted = await completion({ n: 3, logprobs: true })
    expect(counted.choices[2].message.content).toBe('choice 2')
    expect(counted.choices[2].logprobs.content.map((entry: { token: string }) => entry.token)).toEqual(['choice', ' 2'])
  })

  test('obeys max_tokens unless it is told not to', async () => {
    engine.always(answer({ chunks: 10 }))
    const cut = await completion({ max_tokens: 4 })
    expect(cut.choices[0]).toMatchObject({ message: { content: 'w0 w1 w2 w3' }, finish_reason: 'length' })
    expect(cut.usage.completion_tokens).toBe(4)
    engine.always(answer({ chunks: 10, ignoreLimit: true }))
    expect((await completion({ max_tokens: 4 })).usage.completion_tokens).toBe(10)
  })

  test.each(['chunked', 'until-close'] as const)('can be framed %s', async framing => {
    engine.always(answer({ framing }))
    const { response, closedBy, connection } = await askEngine(engine)
    expect(response?.complete).toBe(true)
    expect(response?.headers['content-length']).toBeUndefined()
    expect(closedBy).toBe(framing === 'until-close' ? 'peer-fin' : undefined)
    connection.destroy()
  })
})

describe('an answer with stream', () => {
  test('is a role chunk, one chunk per token, the finish reason, usage and [DONE]', async () => {
    engine.always(answer({ text: 'one two three', extraFields: { custom: 1 } }))
    const reading = await stream()
    expect(reading.violations).toEqual([])
    expect([reading.end, reading.doneCount]).toEqual(['complete', 1])
    const chunks = jsonEvents(reading)
    expect(chunks.map(chunk => chunk['custom'])).toEqual(Array(6).fill(1))
    expect(chunks.map(chunk => (chunk['choices'] as object[])[0])).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
      { index: 0, delta: { content: 'one' }, finish_reason: null },
      { index: 0, delta: { content: ' two' }, finish_reason: null },
      { index: 0, delta: { content: ' three' }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'stop' },
      undefined,
    ])
    expect(chunks.at(-1)?.['usage']).toEqual({ prompt_tokens: 16, completion_tokens: 3, total_tokens: 19 })
    expect(engine.requests[0]).toMatchObject({ chunksWritten: 3, tokensGenerated: 3, ending: 'complete' })
  })

  test('has no usage when it was not asked for', async () => {
    const reading = await stream({ stream_options: undefined })
    expect(jsonEvents(reading).some(chunk => 'usage' in chunk)).toBe(false)
  })

  test('streams reasoning, tool call fragments and choices in turns', async () => {
    engine.always(answer({ reasoning: ['hm'], toolCalls: [{ id: 'c', name: 'f', arguments: '{"a":1}' }], n: 2 }))
    const deltas = jsonEvents(await stream()).flatMap(chunk => chunk['choices'] as { index: number; delta: object }[])
    const second = deltas.filter(choice => choice.index === 1).map(choice => choice.delta)
    expect(second).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'hm' },
      { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {},
    ])
    expect(deltas.map(choice => choice.index).slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  test('is paced by everyMs', async () => {
    engine.always(answer({ chunks: 5, everyMs: 20, firstAfterMs: 40 }))
    const reading = await openSse({ url: `${engine.url}/chat/completions`, body: { stream: true } })
    expect(reading.headersAt - (engine.requests[0]?.receivedAt ?? 0)).toBeGreaterThanOrEqual(38)
    await reading.ended
    const times = reading.events.map(event => event.at)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(90)
  })

  test.each(Object.entries(sseStyles))('means the same in the style %s', async (_, style) => {
    engine.always(answer({ text: ['caf\u00e9 ', '{"a": 1}\n', '\u{1f600}'], style }))
    const { response, data, connection } = await askEngine(engine, { stream: true })
    expect(response?.complete).toBe(true)
    expect(streamedText(data)).toBe('caf\u00e9 {"a": 1}\n\u{1f600}')
    expect(data.at(-1)).toBe('[DONE]')
    connection.destroy()
  })
})

describe('usage', () => {
  /** The JSON texts of `usage` in the order in which the stream shows them, `-` where a chunk has none. */
  async function shown(plan: keyof typeof usagePlans): Promise<string[]> {
    engine.always(answer({ text: ['a', 'b'], usage: usagePlans[plan] }))
    const asked = await askEngine(engine, { stream: true, stream_options: { include_usage: true } })
    asked.connection.destroy()
    return asked.data.map(data => /"usage":(.*)\}$/.exec(data)?.[1] ?? '-')
  }
  const of = (completion: number | string, total = 16 + Number(completion)) =>
    `{"prompt_tokens":16,"completion_tokens":${completion},"total_tokens":${total}}`

  test.each<[keyof typeof usagePlans, string[]]>([
    ['reported', ['-', '-', '-', '-', of(2), '-']],
    ['nullUntilLast', ['-', 'null', 'null', 'null', of(2), '-']],
    ['onFinish', ['-', '-', '-', of(2), '-']],
    ['continuous', ['-', of(1), of(2), of(2), of(2), '-']],
    ['missing', ['-', '-', '-', '-', '-']],
    ['null', ['-', '-', '-', 'null', 'null', '-']],
    ['emptyObject', ['-', '-', '-', '-', '{}', '-']],
    ['middleChunkOnly', ['-', '-', of(2), '-', '-']],
    ['twice', ['-', '-', '-', '-', of(2), of(2), '-']],
    ['decreasing', ['-', of(11), of(10), '-', of(1), '-']],
    ['zero', ['-', '-', '-', '-', '{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}', '-']],
    ['negative', ['-', '-', '-', '-', of(-5), '-']],
    ['aboveContext', ['-', '-', '-', '-', of(50_000_000), '-']],
    ['fractional', ['-', '-', '-', '-', of('2.5', 16), '-']],
    ['string', ['-', '-', '-', '-', of('"7"', 16), '-']],
    ['nanLiteral', ['-', '-', '-', '-', of('NaN', 16), '-']],
    ['huge', ['-', '-', '-', '-', of('1e308', 16), '-']],
  ])('%s appears where and as its name says', async (plan, expected) => {
    expect(await shown(plan)).toEqual(expected)
  })

  test('may be any JSON text', async () => {
    engine.always(answer({ usage: usageValue('[-0, 1E+2]') }))
    const { response, connection } = await askEngine(engine)
    expect(response?.text).toMatch(/,"usage":\[-0, 1E\+2\]\}$/)
    connection.destroy()
  })

  test.each(Object.keys(usagePlans) as (keyof typeof usagePlans)[])('%s leaves text and framing alone', async plan => {
    engine.always(answer({ usage: usagePlans[plan] }))
    const streamed = await askEngine(engine, { stream: true })
    const whole = await askEngine(engine)
    expect(streamed.data.filter(data => data === '[DONE]')).toHaveLength(1)
    expect(streamed.data.join('')).toContain('"content":" mock"')
    expect(whole.response).toMatchObject({ complete: true, status: 200 })
    expect(whole.response?.text).toContain('The mock engine answers this request.')
    streamed.connection.destroy()
    whole.connection.destroy()
  })
})
