import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRaw, rawRequest } from '../raw-http.ts'
import { openSse, readSse } from '../read-sse.ts'
import { waitFor } from '../wait-for.ts'
import { askEngine } from './ask-engine.ts'
import { answer, beforeBody, hang, type MockEngine, neverRead, reset, startMockEngine, status } from './index.ts'

let engine: MockEngine

beforeEach(async () => {
  engine = await startMockEngine()
})
afterEach(() => engine.close())

describe('requests', () => {
  test('are recorded with method, path, headers, exact body and times', async () => {
    const body = '{"model":"m", "number": 1e-2, "stream":false}'
    const before = performance.now()
    const connection = await openRaw(engine.port)
    await connection.send(rawRequest('/v1/chat/completions?x=1', { body, headers: { 'X-Twice': 'a' } }))
    await connection.response()
    const request = engine.requests[0]
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions?x=1', httpVersion: '1.1', index: 0 })
    expect(request?.headers['x-twice']).toBe('a')
    expect(request?.rawHeaders).toContainEqual(['X-Twice', 'a'])
    expect(request?.rawBody.toString()).toBe(body)
    expect(request?.body).toEqual({ model: 'm', number: 0.01, stream: false })
    expect(request?.receivedAt).toBeGreaterThanOrEqual(before)
    expect(request).toMatchObject({ bodyComplete: true, ending: 'complete', reusedSocket: false })
    expect(request?.bytesWritten).toBe(connection.received.length)
    connection.destroy()
  })

  test('with a chunked body, cut at every byte, are put together again', async () => {
    const connection = await openRaw(engine.port)
    const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    await connection.sendSlowly(`${head}5\r\n{"a":\r\nC\r\n"\u00e4\u00f6 1234"}\r\n0\r\nX-Trailer: 1\r\n\r\n`, {
      everyMs: 0,
    })
    expect((await connection.response()).status).toBe(200)
    expect(engine.requests[0]?.body).toEqual({ a: '\u00e4\u00f6 1234' })
    connection.destroy()
  })

  test('that are pipelined are answered in order on one socket', async () => {
    engine.script(request =>
      answer({ text: `answer ${request.body?.['k']}`, firstAfterMs: request.index === 0 ? 30 : 0 }),
    )
    const connection = await openRaw(engine.port)
    const requests = [1, 2, 3].map(k => rawRequest('/v1/chat/completions', { body: { k } }))
    await connection.send(Buffer.concat(requests))
    await connection.response(3)
    expect(connection.responses.map(response => JSON.parse(response.text).choices[0].message.content)).toEqual([
      'answer 1',
      'answer 2',
      'answer 3',
    ])
    expect(engine.requests.map(request => request.reusedSocket)).toEqual([false, true, true])
    expect(engine.sockets).toHaveLength(1)
    connection.destroy()
  })

  test('with a body of several megabytes arrive whole', async () => {
    const text = 'x'.repeat(5_000_000)
    const asked = await askEngine(engine, { text })
    expect(asked.response?.status).toBe(200)
    expect(engine.requests[0]?.body?.['text']).toBe(text)
    asked.connection.destroy()
  })

  test('with Expect: 100-continue are told to go on', async () => {
    const connection = await openRaw(engine.port)
    const [head = '', body = ''] = rawRequest('/v1/x', { body: '{"a":1}', headers: { Expect: '100-continue' } })
      .toString()
      .split('\r\n\r\n')
    await connection.send(`${head}\r\n\r\n`)
    expect((await connection.response()).status).toBe(100)
    await connection.send(body)
    expect((await connection.response(2)).status).toBe(200)
    connection.destroy()
  })

  test.each([
    ['both framings', 'POST /v1/x HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'POST /v1/x HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
    ['a folded header', 'POST /v1/x HTTP/1.1\r\nA: b\r\n c\r\n\r\n'],
    ['a bad chunk size', 'POST /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\na\r\n'],
    ['what is no HTTP', 'hello\r\n\r\n'],
    ['a NUL in a header', 'POST /v1/x HTTP/1.1\r\nA: b\0\r\n\r\n'],
  ])('that break HTTP/1.1 with %s are refused and reported', async (_, bytes) => {
    const connection = await openRaw(engine.port)
    await connection.send(bytes)
    expect((await connection.response()).status).toBe(400)
    expect(await connection.closed()).toBe('peer-fin')
    expect(engine.protocolErrors).toHaveLength(1)
  })
})

describe('behaviours', () => {
  test('given to next are used once each and in order, then the standing one again', async () => {
    engine.always(status(503))
    engine.next(status(500), answer())
    const codes: (number | undefined)[] = []
    for (let index = 0; index < 3; index += 1) codes.push((await askEngine(engine)).response?.status)
    expect(codes).toEqual([500, 200, 503])
    expect(engine.queued).toBe(0)
  })

  test('of GET requests are kept apart, so that probes do not disturb the queue', async () => {
    engine.next(status(500))
    const list = await readSse({ url: `${engine.url}/models`, method: 'GET' })
    expect(JSON.parse(list.text).data[0].id).toBe('mock-model')
    expect([engine.probes.length, engine.requests.length, engine.queued]).toEqual([1, 0, 1])
    engine.probe(status(503))
    expect((await readSse({ url: `${engine.url}/models`, method: 'GET' })).status).toBe(503)
  })

  test('may start before the body is there', async () => {
    engine.next(beforeBody(status(413)))
    const connection = await openRaw(engine.port)
    await connection.send('POST /v1/x HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n{')
    expect((await connection.response()).status).toBe(413)
    expect(engine.requests[0]?.bodyComplete).toBe(false)
    connection.destroy()
  })

  test('may never read the body, so that the upload stalls', async () => {
    engine.next(neverRead())
    const connection = await openRaw(engine.port)
    await connection.send('POST /v1/x HTTP/1.1\r\nContent-Length: 60000000\r\n\r\n')
    let sent = false
    void connection.send(Buffer.alloc(50_000_000)).then(() => {
      sent = true
    })
    await setTimeout(150)
    expect(sent).toBe(false)
    connection.destroy()
  })

  test('that throw make close throw', async () => {
    const broken = await startMockEngine()
    broken.always(reset({ chunks: 99 }))
    const asked = await askEngine(broken, { stream: true })
    expect(asked.closedBy).toBe('peer-reset')
    await expect(broken.close()).rejects.toThrow('never comes to')
  })
})

describe('sockets', () => {
  test('are refused on demand and accepted again on the same port', async () => {
    const { port } = engine
    const open = await openRaw(port)
    await waitFor('the socket', () => engine.openSockets === 1)
    await engine.refuse(true)
    await expect(openRaw(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(open.closedBy).toBeUndefined()
    await engine.refuse(false)
    expect(engine.port).toBe(port)
    expect((await askEngine(engine)).response?.status).toBe(200)
    open.destroy()
  })

  test('are reset and refused by a crash', async () => {
    engine.always(hang('after-headers'))
    const reading = await openSse({ url: `${engine.url}/chat/completions`, body: { stream: true } })
    engine.crash()
    expect(await reading.ended).toBe('broken')
    await expect(openRaw(engine.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(engine.requests[0]?.ending).toBe('engine-stopped')
  })

  test('are cut by a crash which the request itself causes, and the engine comes back', async () => {
    engine.script(request => {
      if (request.body?.['poison'] === true) engine.crash()
      return answer()
    })
    expect((await askEngine(engine, { poison: true })).closedBy).toBe('peer-reset')
    await expect(openRaw(engine.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await engine.refuse(false)
    const asked = await askEngine(engine)
    expect(asked.response?.status).toBe(200)
    asked.connection.destroy()
  })

  test.each(['reset', 'destroy'] as const)(
    'that the peer leaves by %s are noticed at once, also in silence',
    async how => {
      engine.always(hang('before-headers'))
      const connection = await openRaw(engine.port)
      await connection.send(rawRequest('/v1/chat/completions'))
      await waitFor('the request', () => engine.requests[0]?.bodyComplete)
      const leftAt = performance.now()
      connection[how]()
      const request = await waitFor(
        'the engine to notice',
        () => engine.requests[0]?.closedByPeerAt && engine.requests[0],
      )
      expect((request.closedByPeerAt ?? 0) - leftAt).toBeLessThan(1_000)
      expect(request.ending).toBe('peer-closed')
      expect(engine.sockets[0]?.closedBy).toBe('peer')
      expect(engine.openSockets).toBe(0)
    },
  )

  test('stop generating when the peer leaves, and the tokens until then are counted', async () => {
    engine.always(answer({ chunks: 1_000, everyMs: 5 }))
    const reading = await openSse({ url: `${engine.url}/chat/completions`, body: { stream: true } })
    await reading.receive(4)
    reading.abort()
    await waitFor('the engine to notice', () => engine.requests[0]?.endedAt)
    const served = engine.servedTokens
    expect(served).toBeGreaterThanOrEqual(3)
    expect(served).toBeLessThan(100)
    await setTimeout(50)
    expect(engine.servedTokens).toBe(served)
  })

  test('and timers are all gone after close, whatever played', async () => {
    // Other files may have left connections in this process.
    const before = handles()
    const other = await startMockEngine()
    other.next(hang('before-headers'), answer({ firstAfterMs: 60_000 }), hang({ chunks: 2 }))
    const connections = await Promise.all([1, 2, 3, 4].map(() => openRaw(other.port)))
    for (const connection of connections.slice(0, 3)) {
      await connection.send(rawRequest('/v1/chat/completions', { body: { stream: true } }))
    }
    await waitFor('three requests', () => other.requests.length === 3)
    await other.close()
    for (const connection of connections) await connection.closed()
    expect(other.openSockets).toBe(0)
    await waitFor('only what was there before to be left', () => handles().length <= before.length)
    expect(other.requests.map(request => request.ending)).toEqual(Array(3).fill('engine-stopped'))
  })
})

/** What keeps the process busy on the network: sockets and servers, by kind. A pending wait would keep its socket open. */
function handles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter(kind => kind.startsWith('TCP'))
    .sort()
}
