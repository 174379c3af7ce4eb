import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiEngine, type OpenAiEngineOptions } from '../../src/adapters/engines/openai-engine.ts'
import type { Engine } from '../../src/domain/engines/engine.ts'
import type { EngineCall } from '../../src/domain/engines/types.ts'
import { scanObject } from '../../src/lib/json-scan.ts'
import { Secret } from '../../src/lib/secret.ts'
import * as mock from '../support/mock-engine/index.ts'
import { readStream } from './read-stream.ts'
import { realClock } from './real-clock.ts'

const key = 'sk-planted-engine-key'
const never = new AbortController().signal

let node: mock.MockEngine
const open: Engine[] = []

beforeEach(async () => {
  node = await mock.startMockEngine()
})

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
  await node.close()
})

function engineAt(baseUrl: string, options: Partial<OpenAiEngineOptions> = {}): Engine {
  const engine = createOpenAiEngine({
    id: 'gpu-a',
    baseUrl,
    apiKey: new Secret(key),
    preset: 'vllm',
    maxTokensField: 'max_tokens',
    deniedKeys: ['operator_denies'],
    xSearch: {},
    maxConcurrency: 8,
    onDisconnect: 'cancel',
    timeouts: { connectMs: 500, firstByteMs: 500, idleMs: 500, totalMs: 540_000, streamTotalMs: 1_800_000 },
    userAgent: 'rialto/0.1.0',
    clock: realClock,
    ...options,
  })
  open.push(engine)
  return engine
}

function callOf(text: string, stream: boolean): EngineCall {
  const bytes = Buffer.from(text)
  return {
    requestId: 'req_0123456789abcdef',
    engineModel: 'Qwen/Qwen3-27B',
    stream,
    choices: 1,
    outputLimit: 64,
    body: { bytes, members: scanObject(bytes).members, removedKeys: new Set(), promptCacheKey: null },
    deniedKeys: new Set(['model_denies']),
    promptCacheKey: null,
    wishes: null,
  }
}

describe('a call to an OpenAI-compatible engine', () => {
  it('is a POST with headers of our own and none of anybody else', async () => {
    const reply = await engineAt(node.url).open(callOf('{"model":"m","messages":[]}', false), never)
    if (reply.kind === 'bytes') await readStream(reply.body)
    const [request] = node.requests
    expect([request?.method, request?.path]).toEqual(['POST', '/v1/chat/completions'])
    expect(request?.headers).toEqual({
      host: new URL(node.url).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'rialto/0.1.0',
      authorization: `Bearer ${key}`,
      'x-request-id': 'req_0123456789abcdef',
      'content-length': String(request?.rawBody.length),
    })
  })

  it('asks for events when the caller streams, and sends no key where none is set', async () => {
    const reply = await engineAt(node.url, { apiKey: null }).open(callOf('{"model":"m"}', true), never)
    if (reply.kind === 'bytes') await readStream(reply.body)
    expect(node.requests[0]?.headers['accept']).toBe('text/event-stream')
    expect(node.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it("has the caller's bytes with the few changes of the contract", async () => {
    const text =
      '{"param_from_2031": {"a":[1,2]},"model":"m","ignore_eos":true,"temperature":1e-2,"operator_denies":1,"model_denies":2,"stream_options":null}'
    await engineAt(node.url).open(callOf(text, true), never)
    expect(node.requests[0]?.rawBody.toString()).toBe(
      '{"param_from_2031": {"a":[1,2]},"model":"Qwen/Qwen3-27B","temperature":1e-2,"stream_options":{"include_usage":true},"max_tokens":64}',
    )
  })

  it('gives the head as it is, whatever the status', async () => {
    node.next(mock.rateLimited('seconds'))
    const reply = await engineAt(node.url).open(callOf('{"model":"m"}', false), never)
    expect(reply).toMatchObject({ kind: 'bytes', status: 429, contentType: 'application/json', retryAfterMs: 7_000 })
  })

  it('waits for a whole answer as long as its output limit takes, and for a stream only for its first token', async () => {
    const engine = engineAt(node.url)
    node.always(mock.delayed(2_200, mock.answer()))
    const whole = engine.open(callOf('{"model":"m"}', false), never)
    const stream = engine.open(callOf('{"model":"m","stream":true}', true), never)
    await expect(stream).rejects.toMatchObject({ kind: 'first_byte_timeout' })
    expect(await whole).toMatchObject({ status: 200 })
  })

  it('never carries the key to another host, and never shows it', async () => {
    const elsewhere = await mock.startMockEngine()
    node.next(mock.redirect(`${elsewhere.url}/chat/completions`, 308))
    const engine = engineAt(node.url)
    expect(await engine.open(callOf('{"model":"m"}', false), never)).toMatchObject({ status: 308 })
    expect([elsewhere.requests.length, elsewhere.sockets.length]).toEqual([0, 0])
    expect(JSON.stringify(engine)).not.toContain(key)
    await elsewhere.close()
  })

  it('keeps path and query of an address that has them', async () => {
    const origin = new URL(node.url).origin
    const engine = engineAt(`${origin}/proxy/v1/?api-version=2`)
    await engine.open(callOf('{"model":"m"}', false), never)
    expect(node.requests[0]?.path).toBe('/proxy/v1/chat/completions?api-version=2')
    expect(engine.baseUrl).toBe(`${origin}/proxy/v1`)
  })

  it.each(['ftp://127.0.0.1/v1', 'http://user:password@127.0.0.1/v1', 'nonsense'])('cannot go to %s', baseUrl => {
    expect(() => engineAt(baseUrl)).toThrow(TypeError)
  })

  it('cannot have a key that would break out of its header', () => {
    expect(() => engineAt(node.url, { apiKey: new Secret('a\r\nx-evil: 1') })).toThrow(TypeError)
  })
})

describe('a health question', () => {
  it('is answered by the list of models, or by any sign of life', async () => {
    const engine = engineAt(node.url)
    await engine.probe(never)
    expect(node.probes[0]).toMatchObject({ method: 'GET', path: '/v1/models' })
    node.probe(mock.status(404))
    await engine.probe(never)
    expect(node.sockets).toHaveLength(1)
  })

  it.each([500, 503, 401, 403])('is not answered by %d', async code => {
    node.probe(mock.status(code))
    await expect(engineAt(node.url).probe(never)).rejects.toMatchObject({ kind: 'bad_answer' })
  })

  it('is not answered by silence', async () => {
    node.probe(mock.hang('before-headers'))
    await expect(engineAt(node.url).probe(never)).rejects.toMatchObject({ kind: 'first_byte_timeout' })
  })

  it('ends with its signal, also when the answer never ends', async () => {
    node.probe(mock.hang({ chunks: 1 }))
    const signal = AbortSignal.timeout(100)
    await expect(engineAt(node.url).probe(signal)).rejects.toMatchObject({ kind: 'aborted' })
  })

  it('reads a bounded part of a list without end', async () => {
    node.probe(mock.giganticJson({ mebibytes: 64 }))
    await engineAt(node.url).probe(never)
    expect(node.probes[0]?.bytesWritten).toBeLessThan(32 * 1024 * 1024)
  })
})
