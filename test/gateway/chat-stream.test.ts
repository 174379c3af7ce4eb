import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { chunksOf, estimatedTokens, nanoOf, priceOf, streamedText, useGateway } from '../support/gateway/index.ts'
import { answer, delayed, errorEvent, reset, stall, status, usagePlans } from '../support/mock-engine/index.ts'
import { complete, head, payload } from '../support/mock-engine/step.ts'

const gateway = useGateway({
  engines: { main: {}, second: {} },
  models: { 'test/model': {}, 'test/two': { engines: ['main', 'second'] } },
})

const event = (data: string) => payload('other', `data: ${data}\n\n`)

describe('a stream', () => {
  it('is SSE, uncacheable, in the order of the engine, and ends with usage, cost and [DONE]', async () => {
    gateway.engine().next(answer({ text: ['one', ' two', ' three'] }))
    const reading = await gateway.client.stream()
    expect(reading.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store',
    })
    const chunks = chunksOf(reading)
    const id = reading.headers['x-generation-id']
    for (const chunk of chunks)
      expect(chunk).toMatchObject({ id, model: 'test/model', object: 'chat.completion.chunk' })
    expect(streamedText(reading)).toBe('one two three')
    expect(chunks.filter(chunk => chunk.usage)).toHaveLength(1)
    const last = chunks.at(-1)
    expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 16, completion_tokens: 3 } })
    expect(nanoOf(last?.usage?.cost ?? -1)).toBe(priceOf({ prompt: 16, completion: 3 }))
    expect(reading.doneCount).toBe(1)
  })

  it('relays each chunk byte for byte but id and model', async () => {
    const chunk = (choices: string) =>
      `{"system_fingerprint":"fp", "id":"theirs","object":"chat.completion.chunk","created":1,"model":"theirs" ,"choices":[${choices}],"x":1e-2}`
    const first = chunk(
      '{"index":0,"delta":{"role":"assistant","content":"caf\\u00e9 \u{1f600}","odd":null},"finish_reason":null}',
    )
    const second = chunk('{"index":0,"delta":{},"finish_reason":"stop","big":9007199254740993}')
    gateway
      .engine()
      .next(() => [
        head(200, { contentType: 'text/event-stream', framing: 'chunked' }),
        event(first),
        event(second),
        event('[DONE]'),
        complete,
      ])
    const reading = await gateway.client.stream()
    const ours = (text: string) =>
      text.replace('"theirs"', `"${reading.headers['x-generation-id']}"`).replace('"theirs"', '"test/model"')
    expect(reading.events[0]?.data).toBe(ours(first))
    expect(reading.events[1]?.data).toBe(ours(second))
  })

  it('delivers every chunk when it comes, not with the next one', async () => {
    gateway.engine().next(stall({ afterChunks: 2, ms: 600 }, answer({ text: ['a', ' b', ' c'] })))
    const reading = await gateway.client.stream()
    const [, , second, third] = reading.events.map(({ at }) => at)
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(400)
    expect((second ?? 0) - reading.headersAt).toBeLessThan(300)
  })

  it('shows usage once, in the last chunk, wherever the engine put it', async () => {
    for (const plan of ['onFinish', 'continuous', 'nullUntilLast', 'twice'] as const) {
      gateway.engine().next(answer({ text: ['a', ' b'], usage: usagePlans[plan] }))
      const reading = await gateway.client.stream()
      const withUsage = chunksOf(reading).filter(chunk => chunk.usage !== undefined && chunk.usage !== null)
      expect([plan, withUsage.length]).toEqual([plan, 1])
      expect(chunksOf(reading).at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } })
    }
  })

  it.each([
    ['a quote', 'a\\"b'],
    ['a line break', 'a\\nb'],
    ['a NUL', '\\u0000'],
    ['half a character', '\\ud800'],
    ['an escape that nothing needs', '\\u0061'],
  ])('reads a chunk with a name that holds %s', async (_, name) => {
    const chunk = (at: 'chunk' | 'choice' | 'delta', choice: string) => {
      const extra = (place: string) => (place === at ? `"${name}":1,` : '')
      return `{${extra('chunk')}"id":"theirs","object":"chat.completion.chunk","created":1,"model":"theirs","choices":[{${extra('choice')}"index":0,"delta":{${extra('delta')}"content":"hi"}${choice}}]}`
    }
    const chunks = [chunk('chunk', ''), chunk('choice', ''), chunk('delta', ',"finish_reason":"stop"')]
    gateway
      .engine()
      .next(() => [
        head(200, { contentType: 'text/event-stream', framing: 'chunked' }),
        ...chunks.map(event),
        event('[DONE]'),
        complete,
      ])
    const reading = await gateway.client.stream()
    expect([reading.status, streamedText(reading)]).toEqual([200, 'hihihi'])
    const id = reading.headers['x-generation-id']
    for (const shown of chunksOf(reading)) expect(shown).toMatchObject({ id, model: 'test/model' })
  })

  it.each([
    ['without choices', '{"id":"theirs","model":"theirs","usage":USAGE}'],
    ['with null for choices', '{"id":"theirs","model":"theirs","choices":null,"usage":USAGE}'],
    ['beside choices', '{"id":"theirs","model":"theirs","choices":[{"index":0,"delta":{}}],"usage":USAGE}'],
  ])('shows the latest report, which is billed, when it stands %s', async (_, late) => {
    const chunk = (rest: string) =>
      `{"id":"theirs","object":"chat.completion.chunk","created":1,"model":"theirs","choices":${rest}}`
    gateway
      .engine()
      .next(() => [
        head(200, { contentType: 'text/event-stream', framing: 'chunked' }),
        event(chunk('[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]')),
        event(chunk('[],"usage":{"prompt_tokens":16,"completion_tokens":1,"total_tokens":17}')),
        event(late.replace('USAGE', '{"prompt_tokens":16,"completion_tokens":3,"total_tokens":19}')),
        event('[DONE]'),
        complete,
      ])
    const reading = await gateway.client.stream()
    const last = chunksOf(reading).at(-1)
    expect(last).toMatchObject({ choices: [], object: 'chat.completion.chunk', usage: { completion_tokens: 3 } })
    expect(nanoOf(last?.usage?.cost ?? -1)).toBe(priceOf({ prompt: 16, completion: 3 }))
  })

  it('keeps reasoning, tool calls and choices apart', async () => {
    const toolCalls = [{ id: 'call_1', name: 'f', arguments: '{"a":1}' }]
    gateway.engine().next(answer({ reasoning: ['hm'], text: ['ok'], toolCalls }))
    const deltas = chunksOf(await gateway.client.stream({ n: 2 })).flatMap(({ choices }) => choices ?? [])
    for (const choice of [0, 1]) {
      const own = deltas.filter(({ index }) => index === choice).map(({ delta }) => delta)
      expect(own.map(delta => delta?.['reasoning_content'] ?? '').join('')).toBe('hm')
      const calls = own.flatMap(delta => (delta?.['tool_calls'] as { function: { arguments: string } }[]) ?? [])
      expect(calls.map(call => call.function.arguments).join('')).toBe('{"a":1}')
    }
    expect(deltas.filter(({ finish_reason }) => finish_reason === 'tool_calls')).toHaveLength(2)
  })
})

describe('a failure of a stream', () => {
  it('before the first byte is plain JSON with its status', async () => {
    gateway.engine().next(status(400))
    const reading = await gateway.client.stream()
    expect(reading.status).toBe(400)
    expect(reading.headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(reading.text)).toMatchObject({ error: { code: 'bad_value' } })
  })

  it('before the first byte goes to another node, and the caller sees one answer', async () => {
    gateway.engine('main').always(reset('after-headers'))
    gateway.engine('second').always(answer({ text: ['second'] }))
    const reading = await gateway.client.stream({ model: 'test/two' })
    expect(streamedText(reading)).toBe('second')
  })

  it('after the first byte is one error event and [DONE], and never a second try', async () => {
    gateway.engine('main').always(reset({ chunks: 2 }, answer({ text: ['a', ' b', ' c'] })))
    gateway.engine('second').always(reset({ chunks: 2 }, answer({ text: ['a', ' b', ' c'] })))
    const reading = await gateway.client.stream({ model: 'test/two' })
    expect(streamedText(reading)).toBe('a b')
    expect(chunksOf(reading).at(-1)).toEqual({
      error: expect.objectContaining({ type: 'server_error', code: 'upstream_error', message: expect.any(String) }),
    })
    expect(reading.events.at(-1)?.data).toBe('[DONE]')
    expect(gateway.engine('main').requests.length + gateway.engine('second').requests.length).toBe(1)
  })

  it('is also an engine’s own error in the stream, whose text is not passed on', async () => {
    gateway.engine().next(errorEvent({ afterChunks: 1, data: '{"error":{"message":"at http://10.0.0.7/ boom"}}' }))
    const reading = await gateway.client.stream()
    expect(reading.text).not.toContain('10.0.0.7')
    expect(chunksOf(reading).at(-1)?.error?.code).toBe('upstream_error')
  })
})

describe('the output limit of a stream', () => {
  it('is enforced by the gateway when the engine goes on beyond it', async () => {
    gateway.engine().next(answer({ chunks: 500, ignoreLimit: true, everyMs: 2 }))
    const reading = await gateway.client.stream({ max_tokens: 10 })
    expect(streamedText(reading).split(' ')).toHaveLength(10)
    const finish = chunksOf(reading)
      .flatMap(({ choices }) => choices ?? [])
      .at(-1)
    expect(finish?.finish_reason).toBe('length')
    const generation = await gateway.client.generation(String(reading.headers['x-generation-id']))
    // An engine that had to be stopped has reported nothing, so that the text is the measure of the bill.
    const estimate = { usage_source: 'estimated', tokens_completion: estimatedTokens(streamedText(reading)) }
    expect(generation).toMatchObject({ outcome: 'done', ...estimate })
    expect(gateway.engine().requests[0]?.tokensGenerated).toBeLessThan(400)
  })
})

describe('a first token that takes long', () => {
  it('lets a keep-alive comment go out after 10 s, and then comes as usual', async () => {
    gateway.engine().next(delayed(10_700, answer({ text: ['late'] })))
    gateway.engine().next(delayed(10_700, status(503)))
    const [reading, failing] = await Promise.all([
      gateway.client.openStream(),
      sleep(50).then(() => gateway.client.openStream()),
    ])
    expect(reading.status).toBe(200)
    expect(await reading.ended).toBe('complete')
    expect(reading.comments).toEqual(['keep-alive'])
    expect(streamedText(reading)).toBe('late')
    await failing.ended
    expect([failing.status, failing.comments]).toEqual([200, ['keep-alive']])
    expect(chunksOf(failing)).toEqual([{ error: expect.objectContaining({ code: 'upstream_error' }) }])
  })
})
