import { type AddressInfo, createServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answer, close, fastStream, hang, type MockEngine, reset, startMockEngine } from './mock-engine/index.ts'
import { exchangeRaw, openRaw, rawRequest } from './raw-http.ts'
import { parseRawResponses } from './raw-response.ts'

let engine: MockEngine

beforeEach(async () => {
  engine = await startMockEngine()
})
afterEach(() => engine.close())

const chat = rawRequest('/v1/chat/completions', { body: { model: 'm' } })

describe('a raw connection', () => {
  test('sends bytes as they are and counts the responses', async () => {
    const { responses, closedBy } = await exchangeRaw(engine.port, Buffer.concat([chat, chat]), { withinMs: 400 })
    expect(responses.map(response => [response.status, response.complete])).toEqual([
      [200, true],
      [200, true],
    ])
    expect(closedBy).toBeUndefined()
  })

  test('drips, and stops when the peer closes', async () => {
    engine.always(close('before-headers'))
    const connection = await openRaw(engine.port)
    const before = performance.now()
    const sent = await connection.sendSlowly(Buffer.concat([chat, Buffer.alloc(100_000, 'x')]), { size: 8, everyMs: 2 })
    expect(sent).toBeGreaterThanOrEqual(chat.length)
    expect(sent).toBeLessThan(50_000)
    expect(performance.now() - before).toBeGreaterThanOrEqual(2 * Math.floor(chat.length / 8))
    expect(await connection.closed()).toMatch(/^peer-/)
  })

  test('tells FIN, RST and its own close apart', async () => {
    engine.next(close('after-headers'), reset('after-headers'), hang('after-headers'))
    const endings: string[] = []
    for (const _ of [1, 2]) {
      const connection = await openRaw(engine.port)
      await connection.send(chat)
      endings.push(await connection.closed())
    }
    const own = await openRaw(engine.port)
    own.reset()
    endings.push(await own.closed())
    expect(endings).toEqual(['peer-fin', 'peer-reset', 'us'])
  })

  test('rejects when the answer ends too early, with what came', async () => {
    engine.always(close('mid-headers'))
    const connection = await openRaw(engine.port)
    await connection.send(chat)
    await expect(connection.response()).rejects.toThrow(/closed \(peer-fin\) before response 1: HTTP\/1.1 200/)
  })

  test('may stop writing and go on reading', async () => {
    const server = createServer({ allowHalfOpen: true }, socket => {
      socket.resume()
      socket.on('end', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const connection = await openRaw((server.address() as AddressInfo).port)
    await connection.send(chat)
    connection.endWriting()
    expect((await connection.response()).text).toBe('hi')
    await connection.closed()
    await new Promise(resolve => server.close(resolve))
  })

  test('that is paused lets nothing in', async () => {
    engine.always(fastStream({ mebibytes: 1 }))
    const connection = await openRaw(engine.port)
    connection.pause()
    await connection.send(chat)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(connection.received.length).toBe(0)
    connection.resume()
    expect((await connection.response()).complete).toBe(true)
    connection.destroy()
  })
})

describe('responses', () => {
  test('are cut at lengths, chunks and the end of the connection', () => {
    const bytes = Buffer.from(
      'HTTP/1.1 103 Early\r\nLink: x\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc' +
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1;x=y\r\nf\r\n0\r\nT: 1\r\n\r\n' +
        'HTTP/1.1 500 Oh no\r\nA: 1\r\na: 2\r\n\r\nrest',
    )
    const responses = parseRawResponses(bytes, true)
    expect(responses.map(response => [response.status, response.text, response.complete])).toEqual([
      [103, '', true],
      [200, 'abc', true],
      [200, 'def', true],
      [500, 'rest', true],
    ])
    expect(responses[2]?.trailers).toBe('T: 1')
    expect(responses[3]).toMatchObject({ reason: 'Oh no', headers: { a: '1, 2' } })
    expect(parseRawResponses(bytes, false).at(-1)?.complete).toBe(false)
  })

  test('that are cut anywhere are incomplete and never throw', () => {
    const whole = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n')
    for (let length = 0; length < whole.length; length += 1) {
      expect(parseRawResponses(whole.subarray(0, length), false).some(response => response.complete)).toBe(false)
    }
    expect(parseRawResponses(Buffer.concat([whole, Buffer.from('junk')]), true)[0]?.rest.toString()).toBe('junk')
  })
})

test('an engine answers a request with a body of the given shape', async () => {
  engine.always(answer({ text: 'hi' }))
  const connection = await openRaw(engine.port)
  await connection.send(rawRequest('/v1/x', { body: { k: 1 }, headers: { A: 'b' } }))
  expect((await connection.response()).text).toContain('"hi"')
  expect(engine.requests[0]).toMatchObject({ body: { k: 1 }, headers: { a: 'b' } })
  connection.destroy()
})
