import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchangeRaw, rawRequest } from '../raw-http.ts'
import { type Asked, askEngine, streamedText } from './ask-engine.ts'
import {
  answer,
  answerStream,
  type Behaviour,
  brokenFraming,
  compressed,
  compressionBomb,
  dataAfterDone,
  doneTwice,
  emptyStream,
  errorEvent,
  errorEvents,
  garbage,
  garbageAfter,
  garbageStream,
  insertAfter,
  invalidUtf8,
  invalidUtf8Bytes,
  type MockEngine,
  onlyDone,
  startMockEngine,
  truncatedJson,
  withoutDone,
  withoutFinish,
  wrongContentType,
  wrongJsonBodies,
  wrongLength,
} from './index.ts'

let engine: MockEngine
const open: Asked[] = []

beforeEach(async () => {
  engine = await startMockEngine()
})
afterEach(async () => {
  for (const asked of open.splice(0)) asked.connection.destroy()
  await engine.close()
})

async function ask(behaviour: Behaviour, body: Record<string, unknown> = {}): Promise<Asked> {
  engine.always(behaviour)
  const asked = await askEngine(engine, body)
  open.push(asked)
  return asked
}

const streaming = { stream: true }
const text = ['one', ' two', ' three']
const names = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[]

describe('streams', () => {
  test('may lack [DONE] in a complete message', async () => {
    const asked = await ask(withoutDone(), streaming)
    expect(asked.response?.complete).toBe(true)
    expect(asked.data).not.toContain('[DONE]')
    expect(asked.data.at(-1)).toContain('"finish_reason":"stop"')
  })

  test('may say [DONE] twice, or go on after it', async () => {
    expect((await ask(doneTwice(), streaming)).data.slice(-2)).toEqual(['[DONE]', '[DONE]'])
    const { data } = await ask(dataAfterDone(), streaming)
    expect(data.slice(data.indexOf('[DONE]') + 1).map(json => JSON.parse(json).object)).toEqual([
      'chat.completion.chunk',
      'chat.completion.chunk',
    ])
  })

  test('may be [DONE] alone, or nothing', async () => {
    expect((await ask(onlyDone(), streaming)).data).toEqual(['[DONE]'])
    const empty = await ask(emptyStream(), streaming)
    expect(empty.response).toMatchObject({ complete: true, text: '' })
  })

  test('may never say a finish reason', async () => {
    const { data } = await ask(withoutFinish(), streaming)
    expect(data.at(-1)).toBe('[DONE]')
    expect(data.slice(0, -1).every(json => JSON.parse(json).choices[0].finish_reason === null)).toBe(true)
  })

  test.each(names(errorEvents))('may begin with the error %s', async kind => {
    const { data, response } = await ask(errorEvent({ afterChunks: 0, data: errorEvents[kind] }), streaming)
    expect(response).toMatchObject({ status: 200, complete: true })
    expect(data).toEqual([errorEvents[kind]])
  })

  test('may turn into an error, with and without [DONE]', async () => {
    const plain = await ask(errorEvent({ afterChunks: 2 }, answerStream({ text })), streaming)
    expect(streamedText(plain.data)).toBe('one two')
    expect(plain.data.at(-1)).toBe(errorEvents.openAi)
    const done = await ask(errorEvent({ afterChunks: 2, thenDone: true }, answerStream({ text })), streaming)
    expect(done.data.slice(-2)).toEqual([errorEvents.openAi, '[DONE]'])
  })

  test('may hold anything in their middle', async () => {
    const inserted = insertAfter(0, [garbage.otherEvent], insertAfter(3, [garbage.zeroBytes], answerStream({ text })))
    const { response } = await ask(inserted, streaming)
    expect(response?.text.startsWith('event: error')).toBe(true)
    expect(response?.text).toMatch(/" three".*\n\n\0{64}data: .*"finish_reason":"stop"/)
  })

  test.each(names(garbage))('may be the garbage %s, or hold it', async kind => {
    const bytes = garbage[kind].bytes
    const alone = await ask(garbageStream(kind), streaming)
    expect(alone.response?.body.equals(bytes)).toBe(true)
    const inside = await ask(garbageAfter(2, kind, answerStream({ text })), streaming)
    expect(inside.response).toMatchObject({ complete: true })
    expect(inside.response?.body.includes(bytes)).toBe(true)
    expect(inside.response?.text).toContain('" three"')
  })

  test.each(names(invalidUtf8Bytes))('may hold the bytes %s, which are not UTF-8, and so may JSON', async kind => {
    const bytes = Buffer.from(invalidUtf8Bytes[kind])
    for (const body of [streaming, {}]) {
      const { response } = await ask(invalidUtf8(kind), body)
      expect(response?.complete).toBe(true)
      expect(response?.body.includes(bytes)).toBe(true)
      expect(response?.text).toContain('\uFFFD')
    }
  })
})

describe('bodies', () => {
  test('may be JSON that ends in its middle', async () => {
    const { response } = await ask(truncatedJson())
    expect(response).toMatchObject({ status: 200, complete: true })
    expect(response?.text).toMatch(/^\{"id"/)
    expect(() => JSON.parse(response?.text ?? '')).toThrow()
  })

  test('may be shorter than announced, and then the connection ends', async () => {
    const { response, closedBy } = await ask(wrongLength(10))
    expect(response?.complete).toBe(false)
    expect(JSON.parse(response?.text ?? '').object).toBe('chat.completion')
    expect(closedBy).toBe('peer-fin')
  })

  test('may be longer than announced', async () => {
    const { response, received } = await ask(wrongLength(-10))
    expect(response?.complete).toBe(true)
    expect(received.toString()).toMatch(/"total_tokens":\d+\}\}$/)
    expect(response?.text).not.toMatch(/\}\}$/)
  })

  test.each(names(brokenFraming))('may be framed wrongly: %s', async kind => {
    engine.always(brokenFraming[kind])
    const { received } = await exchangeRaw(engine.port, rawRequest('/v1/chat/completions'), { withinMs: 250 })
    const expected = {
      badChunkSize: /\r\n\r\nzz\r\n/,
      chunkTooLong: /\r\n\r\nffff\r\n.{10}$/s,
      chunkWithoutEnd: /\r\n\r\n8\r\n\{"id":1\}0\r\n/,
      hugeChunkSize: /\r\n\r\nf{16}\r\n/,
      lengthAndChunked: /Transfer-Encoding: chunked\r\nContent-Length: 5\r\n/,
      twoLengths: /Content-Length: 23\r\nContent-Length: 5\r\n/,
      notHttp: /^SSH-2\.0/,
      http09: /^\{"id":"x","choices":\[\]\}$/,
      badStatusLine: /^HTTP\/1\.1 abc/,
    }[kind]
    expect(received.toString('latin1')).toMatch(expected)
  })

  test.each<[keyof typeof wrongContentType, string | undefined, string | undefined]>([
    ['jsonForStream', 'application/json', 'application/json'],
    ['sseForJson', 'text/event-stream', 'text/event-stream'],
    ['swapped', 'application/json', 'text/event-stream'],
    ['none', undefined, undefined],
    ['octets', 'application/octet-stream', 'application/octet-stream'],
    ['utf16', 'text/event-stream; charset=utf-16', 'application/json; charset=utf-16'],
    ['html200', 'text/html; charset=utf-8', 'text/html; charset=utf-8'],
    ['plain200', 'text/plain', 'text/plain'],
  ])('may have the wrong type: %s', async (kind, whenStreaming, otherwise) => {
    const streamed = await ask(wrongContentType[kind], streaming)
    const whole = await ask(wrongContentType[kind])
    expect([streamed, whole].map(asked => asked.response?.headers['content-type'])).toEqual([whenStreaming, otherwise])
    const isSse = (asked: Asked) => asked.response?.text.startsWith('data: ')
    const right = { jsonForStream: [false, false], sseForJson: [true, true] } as Record<string, boolean[]>
    const noCompletion = kind === 'html200' || kind === 'plain200'
    expect([isSse(streamed), isSse(whole)]).toEqual(right[kind] ?? (noCompletion ? [false, false] : [true, false]))
  })

  test.each(names(wrongJsonBodies))('may be JSON with 200 that is no completion: %s', async kind => {
    const { response } = await ask(wrongJsonBodies[kind])
    expect(response).toMatchObject({ status: 200, complete: true, headers: { 'content-type': 'application/json' } })
    expect(response?.text).not.toContain('"content"')
  })

  test('may be compressed, also twice', async () => {
    const once = await ask(compressed(['gzip']))
    expect(once.response?.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(once.response?.body ?? Buffer.alloc(0)).toString()).object).toBe('chat.completion')
    const twice = await ask(compressed(['gzip', 'gzip'], answer()), streaming)
    expect(twice.response?.headers['content-encoding']).toBe('gzip, gzip')
    expect(gunzipSync(gunzipSync(twice.response?.body ?? Buffer.alloc(0))).toString()).toContain('data: [DONE]')
  })

  test('may be a compression bomb', async () => {
    const { response } = await ask(compressionBomb(8))
    expect(response?.body.length).toBeLessThan(20_000)
    expect(gunzipSync(response?.body ?? Buffer.alloc(0)).length).toBeGreaterThan(8_000_000)
  })
})
