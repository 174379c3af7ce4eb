import { describe, expect, it } from 'vitest'
import { estimatedTokens, nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { answer, LEAKY_HEADERS, leakyHeaders, usagePlans } from '../support/mock-engine/index.ts'
import { complete, head, payload } from '../support/mock-engine/step.ts'

const gateway = useGateway()

/** An engine that answers with exactly this text. */
function says(body: string) {
  const bytes = Buffer.from(body)
  return () => [
    head(200, { contentType: 'application/json', framing: { length: bytes.length } }),
    payload('body', bytes),
    complete,
  ]
}

describe('a whole answer', () => {
  it('keeps every byte of the engine’s but id, model and usage', async () => {
    const usage = '{"prompt_tokens":10,"completion_tokens":4,"total_tokens":14,"their_own":{"x":1.50}}'
    const before = ` {"system_fingerprint":"fp_1" ,"id":"`
    const choices = `"choices":[ {"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"caf\\u00e9 \u{1f600}","n":1e-2}}]`
    const after = `,"their_field":{"deep":[1,{"a":9007199254740993}]}}`
    gateway.engine().next(says(`${before}theirs","model":"their-model",${choices},"usage":${usage}${after}`))
    const answered = await gateway.client.chat()
    const id = answered.headers['x-generation-id']
    const cost = answered.json.usage?.cost
    const text = answered.text
    expect(
      text.startsWith(`${before}${id}","model":"test/model",${choices},"usage":${usage.slice(0, -1)},"cost":`),
    ).toBe(true)
    expect(text.endsWith(`}}${after}`)).toBe(true)
    expect(nanoOf(cost ?? -1)).toBe(priceOf({ prompt: 10, completion: 4 }))
  })

  it('has our id, the model that was asked for, and no trace of the engine’s names', async () => {
    const answered = await gateway.client.chat()
    expect(answered.json).toMatchObject({ object: 'chat.completion', model: 'test/model' })
    expect(answered.json.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/)
    expect(answered.headers['x-generation-id']).toBe(answered.json.id)
    expect(answered.text).not.toContain('internal-name-of')
    expect(answered.text).not.toContain('mock-')
  })

  it('is never cacheable, and carries a request id and none of the engine’s headers', async () => {
    gateway.engine().next(leakyHeaders())
    const { headers } = await gateway.client.chat()
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^[\w-]{8,}$/),
      'x-content-type-options': 'nosniff',
    })
    const values = Object.values(headers).flat()
    for (const [name, value] of LEAKY_HEADERS) {
      if (name !== 'Keep-Alive') expect(values).not.toContain(value)
    }
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers).not.toHaveProperty('x-rialto-engine')
  })

  it('says what it cost, exactly, and of what', async () => {
    const { json } = await gateway.client.chat()
    const cost = priceOf({ prompt: 16, completion: 5 })
    expect(nanoOf(json.usage?.cost ?? -1)).toBe(cost)
    const details = json.usage?.cost_details ?? {}
    expect(nanoOf(details['prompt_cost'] ?? -1)).toBe(priceOf({ prompt: 16 }))
    expect(nanoOf(details['completion_cost'] ?? -1)).toBe(priceOf({ completion: 5 }))
    expect(json).not.toHaveProperty('usage_estimated')
  })

  it('bills cached tokens at their own price', async () => {
    gateway.engine().next(answer({ promptTokens: 40, cachedTokens: 30, chunks: 3 }))
    const { json } = await gateway.client.chat()
    expect(json.usage).toMatchObject({ prompt_tokens: 40, prompt_tokens_details: { cached_tokens: 30 } })
    expect(nanoOf(json.usage?.cost ?? -1)).toBe(priceOf({ prompt: 40, cached: 30, completion: 3 }))
  })

  it('bills reasoning as output', async () => {
    gateway.engine().next(answer({ reasoning: ['let', ' me', ' think'], text: ['so'] }))
    const { json } = await gateway.client.chat()
    expect(json.choices?.[0]?.message).toMatchObject({ content: 'so', reasoning_content: 'let me think' })
    expect(nanoOf(json.usage?.cost ?? -1)).toBe(priceOf({ prompt: 16, completion: 4 }))
  })

  it('has an estimate where the engine reports nothing, and says so', async () => {
    const text = 'Gr\u00fc\u00dfe \u{1f600}\u{1f600}\u{1f600}'
    gateway.engine().next(answer({ text, usage: usagePlans.missing }))
    const { json } = await gateway.client.chat()
    const prompt = estimatedTokens(gateway.client.prompt)
    const completion = estimatedTokens(text)
    expect(json).toMatchObject({
      usage_estimated: true,
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    })
    expect(nanoOf(json.usage?.cost ?? -1)).toBe(priceOf({ prompt, completion }))
  })

  it('estimates text, and never the data of an image', async () => {
    gateway.engine().next(answer({ text: 'seen', usage: usagePlans.missing }))
    const url = `data:image/png;base64,${'A'.repeat(40_000)}`
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ]
    const { json } = await gateway.client.chat({ messages: [{ role: 'user', content }] })
    expect(json.usage?.prompt_tokens).toBe(estimatedTokens('What is it?'))
  })

  it('has tool calls, logprobs and every choice as the engine gave them', async () => {
    const toolCalls = [{ id: 'call_7', name: 'weather', arguments: '{"city":"Berlin"}' }]
    gateway.engine().next(answer({ toolCalls }))
    const tools = await gateway.client.chat()
    expect(tools.json.choices?.[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ id: 'call_7', function: { name: 'weather', arguments: '{"city":"Berlin"}' } }],
      },
    })
    gateway.engine().next(answer({ text: ['one', ' two'], logprobs: true }))
    const several = await gateway.client.chat({ n: 3 })
    expect(several.json.choices?.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(several.json.choices?.[2]?.['logprobs']).toMatchObject({ content: [{ token: 'one' }, { token: ' two' }] })
    expect(several.json.usage?.completion_tokens).toBe(6)
  })

  it('is explained afterwards by GET /v1/generation, with the same figures', async () => {
    const { json } = await gateway.client.chat({ max_tokens: 50 })
    const generation = await gateway.client.generation(json.id ?? '')
    expect(generation).toMatchObject({
      id: json.id,
      model: 'test/model',
      streamed: false,
      outcome: 'done',
      finish_reason: 'stop',
      tokens_prompt: 16,
      tokens_completion: 5,
      usage_source: 'engine',
      total_cost: json.usage?.cost,
      settled: json.usage?.cost,
      attempts: [{ node: 'main', status: 200, ms: expect.any(Number) }],
    })
    expect(nanoOf(generation?.hold ?? 0)).toBeGreaterThan(priceOf({ completion: 50 }))
  })
})

describe('a whole answer of an engine that streams it', () => {
  const chunk = (text: string) =>
    `data: {"id":"theirs","object":"chat.completion.chunk","created":1,"model":"theirs","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`

  it('ends at the output limit, where the engine is stopped', async () => {
    gateway.engine().next(function* () {
      yield head(200, { contentType: 'text/event-stream', framing: 'chunked' })
      for (;;) yield payload('other', chunk(' word'))
    })
    const { status, json } = await gateway.client.chat({ max_tokens: 20 })
    expect(status).toBe(200)
    expect(json.choices).toEqual([
      { index: 0, finish_reason: 'length', message: expect.objectContaining({ content: ' word'.repeat(20) }) },
    ])
    expect(json).toMatchObject({ usage_estimated: true, usage: { completion_tokens: 20 } })
    expect(gateway.engine().requests[0]?.ending).toBe('peer-closed')
  })

  it('is not collected for ever', async () => {
    gateway.engine().next(function* () {
      yield head(200, { contentType: 'text/event-stream', framing: 'chunked' })
      const empty = chunk('').replace('"delta"', `"junk":"${'x'.repeat(500_000)}","delta"`)
      for (;;) yield payload('other', empty)
    })
    const answered = await gateway.client.chat()
    expect([answered.status, answered.json.error?.code]).toEqual([502, 'upstream_error'])
    const sent = gateway.engine().requests[0]?.bytesWritten ?? 0
    expect(sent).toBeGreaterThan(32 * 1_048_576)
    expect(sent).toBeLessThan(64 * 1_048_576)
  })
})
