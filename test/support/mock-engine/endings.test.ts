import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRaw, rawRequest } from '../raw-http.ts'
import { openSse, readSse } from '../read-sse.ts'
import { waitFor } from '../wait-for.ts'
import { type Asked, askEngine, streamedText } from './ask-engine.ts'
import {
  answer,
  burst,
  close,
  delayed,
  drip,
  hang,
  type MockEngine,
  type Place,
  reset,
  splitEvery,
  stall,
  startMockEngine,
} from './index.ts'

let engine: MockEngine

beforeEach(async () => {
  engine = await startMockEngine()
})
afterEach(() => engine.close())

const streaming = { stream: true, stream_options: { include_usage: true } }
const source = answer({ text: ['one', 'two', 'three'] })

/** What came of a stream, event by event, in one letter each. */
function letters({ data }: Asked): string {
  return data
    .map(text => {
      if (text === '[DONE]') return 'D'
      if (!text.endsWith('}')) return '?'
      const [choice] = JSON.parse(text).choices
      if (choice === undefined) return 'u'
      return choice.finish_reason !== null ? 'f' : choice.delta.role === undefined ? 'c' : 'r'
    })
    .join('')
}

const streamPlaces: [Place, string][] = [
  ['after-headers', ''],
  [{ chunks: 0 }, 'r'],
  [{ chunks: 1 }, 'rc'],
  [{ chunks: 3 }, 'rccc'],
  [{ insideChunk: 1 }, 'rc?'],
  ['after-finish', 'rcccf'],
  ['after-usage', 'rcccfu'],
  ['after-done', 'rcccfuD'],
]

describe.each([
  ['reset', reset, 'peer-reset'],
  ['close', close, 'peer-fin'],
] as const)('%s', (ending, cut, closedBy) => {
  test.each(streamPlaces)('cuts a stream at %j', async (place, events) => {
    engine.always(cut(place, source))
    const asked = await askEngine(engine, streaming)
    expect(asked.response).toMatchObject({ status: 200, complete: false })
    expect(letters(asked)).toBe(events)
    expect(asked.closedBy).toBe(closedBy)
    expect(engine.requests[0]?.ending).toBe(ending === 'reset' ? 'reset' : 'closed')
  })

  test('cuts before the headers', async () => {
    engine.always(cut('before-headers', source))
    expect(await askEngine(engine)).toMatchObject({ received: Buffer.alloc(0), response: undefined, closedBy })
  })

  test('cuts in the middle of the headers', async () => {
    engine.always(cut('mid-headers', source))
    const asked = await askEngine(engine)
    expect(asked.received.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(asked.received.includes('\r\n\r\n')).toBe(false)
    expect(asked.closedBy).toBe(closedBy)
  })

  test('cuts after a complete message', async () => {
    engine.always(cut('after-end', source))
    const asked = await askEngine(engine, streaming)
    expect(asked.response?.complete).toBe(true)
    expect(letters(asked)).toBe('rcccfuD')
    expect(await asked.connection.closed()).toBe(closedBy)
  })

  test.each<[Place, (length: number) => number]>([
    ['after-headers', () => 0],
    [{ chunks: 0 }, () => 0],
    [{ chunks: 2 }, length => Math.ceil(length / 2)],
    ['after-usage', length => length - 1],
  ])('cuts a JSON body at %j', async (place, expectedLength) => {
    engine.always(cut(place, source))
    const { response } = await askEngine(engine)
    const announced = Number(response?.headers['content-length'])
    expect(response?.body.length).toBe(expectedLength(announced))
    expect(response?.complete).toBe(false)
  })
})

describe('hang', () => {
  test.each<[Place, string]>([...streamPlaces])('goes silent at %j until the peer leaves', async (place, events) => {
    engine.always(hang(place, source))
    const reading = await openSse({ url: `${engine.url}/chat/completions`, body: streaming })
    await reading.receive(events.replace('?', '').length)
    await setTimeout(30)
    const request = engine.requests[0]
    expect(reading.events).toHaveLength(events.replace('?', '').length)
    expect(reading.text.endsWith('\n\n')).toBe(!events.endsWith('?') && events !== '')
    expect(request?.chunksWritten).toBe(events.replace(/[^c]/g, '').length)
    expect(request?.ending).toBeUndefined()
    reading.abort()
    await waitFor('the engine to notice', () => request?.ending === 'peer-closed')
  })

  test('goes silent before and within the headers', async () => {
    engine.next(hang('before-headers', source), hang('mid-headers', source))
    const connections = [await openRaw(engine.port), await openRaw(engine.port)]
    for (const [index, connection] of connections.entries()) {
      await connection.send(rawRequest('/v1/chat/completions'))
      await waitFor('the request', () => engine.requests[index]?.bodyComplete)
    }
    await waitFor('half a head', () => connections[1]?.received.toString().startsWith('HTTP/1.1 200'))
    await setTimeout(30)
    expect(connections.map(connection => connection.closedBy)).toEqual([undefined, undefined])
    expect(connections[0]?.received.length).toBe(0)
    expect(connections[1]?.responses).toHaveLength(0)
    for (const connection of connections) connection.destroy()
  })
})

describe('pacing', () => {
  test('delayed holds back the first byte', async () => {
    engine.always(delayed(60, source))
    const before = performance.now()
    await askEngine(engine)
    expect(performance.now() - before).toBeGreaterThanOrEqual(58)
  })

  test('drip sends byte by byte, and the answer stays right', async () => {
    engine.always(drip(answer({ text: 'a b' }), { everyMs: 1, bytes: 5 }))
    const before = performance.now()
    const asked = await askEngine(engine, streaming)
    expect(streamedText(asked.data)).toBe('a b')
    expect(performance.now() - before).toBeGreaterThan(asked.received.length / 5)
    expect(engine.requests[0]).toMatchObject({
      tokensGenerated: 2,
      chunksWritten: 2,
      bytesWritten: asked.received.length,
    })
  })

  test('splitEvery cuts events and characters, one HTTP chunk per piece', async () => {
    engine.always(splitEvery(1, answer({ text: '\u{1f600} caf\u00e9', style: { newline: '\r\n' } })))
    const asked = await askEngine(engine, streaming)
    expect(streamedText(asked.data)).toBe('\u{1f600} caf\u00e9')
    expect(asked.received.includes('\r\n1\r\n\xf0\r\n1\r\n\x9f\r\n', 0, 'latin1')).toBe(true)
    expect(engine.requests[0]).toMatchObject({ tokensGenerated: 2, chunksWritten: 2 })
  })

  test('burst puts all events into one HTTP chunk', async () => {
    engine.always(burst(answer({ chunks: 200 })))
    const asked = await askEngine(engine, streaming)
    expect(asked.data).toHaveLength(204)
    const body = asked.received.subarray(asked.received.indexOf('\r\n\r\n') + 4)
    expect(Number.parseInt(body.toString('latin1', 0, 8), 16)).toBe(asked.response?.body.length)
    expect(engine.requests[0]).toMatchObject({ tokensGenerated: 200, chunksWritten: 200 })
  })

  test('stall pauses between two content events', async () => {
    engine.next(stall({ afterChunks: 2, ms: 500 }, source), stall({ afterChunks: 2, ms: 600_000 }, source))
    const request = { url: `${engine.url}/chat/completions`, body: streaming }
    const before = performance.now()
    const { events } = await readSse(request)
    expect((events[3]?.at ?? before) - before).toBeGreaterThanOrEqual(490)
    const stalled = await openSse(request)
    await stalled.receive(3)
    await waitFor('the engine to have written them', () => engine.requests[1]?.chunksWritten === 2)
    expect(engine.requests[1]?.endedAt).toBeUndefined()
    stalled.abort()
  })
})
