import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngineTransport,
  type EngineTransport,
  type EngineTransportOptions,
  type TransportRequest,
} from '../../src/adapters/http/engine-transport.ts'
import { EngineFault, type FaultKind } from '../../src/domain/engines/types.ts'
import { quickestMs, stretched } from '../support/lapse.ts'
import * as mock from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { readStream } from './read-stream.ts'
import { realClock } from './real-clock.ts'

const patience = { connectMs: 500, firstByteMs: 400, idleMs: 400 }
const never = new AbortController().signal

let engine: mock.MockEngine
const open: EngineTransport[] = []

beforeEach(async () => {
  engine = await mock.startMockEngine()
})

afterEach(async () => {
  for (const transport of open.splice(0)) await transport.close()
  expect(engine.protocolErrors).toEqual([])
  await engine.close()
})

function transportTo(url: string, options: Partial<EngineTransportOptions> = {}): EngineTransport {
  const { origin } = new URL(url)
  const transport = createEngineTransport({ origin, clock: realClock, ...patience, ...options })
  open.push(transport)
  return transport
}

function post(body: string | Buffer[] = '{"model":"m","stream":true}'): TransportRequest {
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body
  return { method: 'POST', path: '/v1/chat/completions', headers: ['content-type', 'application/json'], body: pieces }
}

async function faultOf(promise: Promise<unknown>): Promise<EngineFault> {
  const error = await promise.then(
    () => new Error('expected a fault'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof EngineFault)) throw error
  return error
}

async function secondFault(behaviour: ReturnType<typeof mock.answer>): Promise<EngineFault> {
  const transport = transportTo(engine.url)
  await readStream((await transport.send(post(), never)).body)
  engine.next(behaviour)
  return faultOf(transport.send(post(), never))
}

describe('an exchange with a node', () => {
  it('gives status and media type of the head, and the body as it comes', async () => {
    const answer = await transportTo(engine.url).send(post(), never)
    const { bytes, ending } = await readStream(answer.body)
    expect(answer).toMatchObject({ status: 200, contentType: 'text/event-stream', retryAfterMs: null })
    expect(bytes.toString()).toMatch(/^data: \{[\s\S]*data: \[DONE\]\n\n$/)
    expect(ending).toBe('end')
  })

  it('keeps what came before anybody read, in order', async () => {
    const answer = await transportTo(engine.url).send(post(), never)
    await sleep(50)
    const late = await readStream(answer.body)
    engine.next(mock.answer())
    const prompt = await readStream((await transportTo(engine.url).send(post(), never)).body)
    expect(late.bytes.toString().replaceAll(/mock-\w+/g, '')).toBe(prompt.bytes.toString().replaceAll(/mock-\w+/g, ''))
  })

  it('tells after each read that it is over, but not after the end', async () => {
    engine.next(mock.answer({ chunks: 10, everyMs: 5 }))
    const { chunks, reads } = await readStream((await transportTo(engine.url).send(post(), never)).body)
    expect(reads).toBeGreaterThan(3)
    expect(reads).toBeLessThanOrEqual(chunks)
    engine.next(mock.burst(mock.answer({ chunks: 10 })))
    expect((await readStream((await transportTo(engine.url).send(post(), never)).body)).reads).toBeLessThanOrEqual(1)
  })

  it('uses one connection for one request after the other', async () => {
    const transport = transportTo(engine.url)
    for (let count = 0; count < 5; count += 1) await readStream((await transport.send(post(), never)).body)
    expect(engine.sockets).toHaveLength(1)
  })

  it('shows nothing of the headers but status, type and Retry-After', async () => {
    engine.next(mock.leakyHeaders(mock.rateLimited('seconds')))
    const answer = await transportTo(engine.url).send(post(), never)
    expect(Object.keys(answer).sort()).toEqual(['body', 'contentType', 'retryAfterMs', 'status'])
    expect(answer).toMatchObject({ status: 429, retryAfterMs: 7_000 })
  })

  it('does not follow a redirect', async () => {
    const elsewhere = await mock.startMockEngine()
    engine.next(mock.redirect(`${elsewhere.url}/chat/completions`))
    const { status } = await transportTo(engine.url).send(post(), never)
    expect(status).toBe(307)
    expect(elsewhere.requests).toHaveLength(0)
    await elsewhere.close()
  })

  it('sends large bodies piece by piece and byte for byte', async () => {
    const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(50_000, index))
    await readStream((await transportTo(engine.url).send(post(pieces), never)).body)
    expect(engine.requests[0]?.rawBody.equals(Buffer.concat(pieces))).toBe(true)
    expect(engine.requests[0]?.headers).toMatchObject({ 'content-length': '2000000' })
    expect(engine.requests[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  it('takes an answer that comes before a large body is sent', async () => {
    engine.next(mock.beforeBody(mock.status(413)))
    const pieces = Array.from({ length: 40 }, () => Buffer.alloc(200_000, 1))
    const answer = await transportTo(engine.url).send(post(pieces), never)
    expect(answer.status).toBe(413)
    answer.body.cancel()
  })
})

describe('a node that fails', () => {
  const before: [string, ReturnType<typeof mock.answer>, FaultKind][] = [
    ['resets before the headers', mock.reset('before-headers'), 'reset'],
    ['resets inside the headers', mock.reset('mid-headers'), 'reset'],
    ['closes before the headers', mock.close('before-headers'), 'reset'],
    ['hangs before the headers', mock.hang('before-headers'), 'first_byte_timeout'],
    ['hangs inside the headers', mock.hang('mid-headers'), 'first_byte_timeout'],
    ['never reads the body', mock.neverRead(), 'first_byte_timeout'],
    ['does not speak HTTP', mock.brokenFraming.notHttp, 'bad_answer'],
    ['breaks its status line', mock.brokenFraming.badStatusLine, 'bad_answer'],
    ['compresses its answer', mock.compressed(['gzip']), 'bad_answer'],
    ['compresses its answer twice', mock.compressed(['gzip', 'br']), 'bad_answer'],
    ['sends 120 headers', mock.manyHeaders(120), 'bad_answer'],
    ['sends a header of 20 KB', mock.hugeHeader(20_000), 'bad_answer'],
    ['sends interim answers without end', mock.informational({ count: 1_000 }), 'bad_answer'],
  ]

  it.each(before)('%s', async (_name, behaviour, kind) => {
    engine.next(behaviour)
    const fault = await faultOf(transportTo(engine.url).send(post(), never))
    expect([fault.kind, fault.staleConnection]).toEqual([kind, false])
    await waitFor('its socket to close', () => engine.openSockets === 0)
  })

  const within: [string, ReturnType<typeof mock.answer>, FaultKind][] = [
    ['resets in the middle', mock.reset({ chunks: 2 }), 'reset'],
    ['closes in the middle of a chunked body', mock.close({ chunks: 2 }), 'reset'],
    ['hangs in the middle', mock.hang({ chunks: 2 }), 'idle_timeout'],
    ['sends a broken chunk', mock.brokenFraming.badChunkSize, 'bad_answer'],
    ['closes before the length it promised', mock.wrongLength(10), 'reset'],
  ]

  it.each(within)('%s after the head', async (_name, behaviour, kind) => {
    engine.next(behaviour)
    const { body } = await transportTo(engine.url).send(post(), never)
    const { ending } = await readStream(body)
    expect(ending).toMatchObject({ kind })
    await waitFor('its socket to close', () => engine.openSockets === 0)
  })

  it('is believed when it sends a few interim answers first', async () => {
    engine.next(mock.informational({ count: 3 }))
    expect((await transportTo(engine.url).send(post(), never)).status).toBe(200)
  })

  it('refuses the connection', async () => {
    await engine.refuse(true)
    expect((await faultOf(transportTo(engine.url).send(post(), never))).kind).toBe('connect_refused')
  })

  it('does not answer the connect: the wait is as long as it was set', async () => {
    const hole = await mock.startBlackHole()
    const waitedMs = await quickestMs(async () => {
      expect((await faultOf(transportTo(hole.url).send(post(), never))).kind).toBe('connect_timeout')
    })
    expect(waitedMs).toBeLessThan(patience.connectMs * 1.2)
    await hole.close()
  })

  it('has a certificate that nobody vouches for: nothing is sent, whatever the environment allows', async () => {
    const server = await mock.startUntrustedServer()
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const fault = await faultOf(transportTo(server.url).send(post(), never))
      expect(fault.kind).toBe('tls')
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
    expect(server.received).toHaveLength(0)
    await server.close()
  })

  it('speaks plain HTTP where TLS is expected', async () => {
    const fault = await faultOf(transportTo(engine.url.replace('http:', 'https:')).send(post(), never))
    expect(fault.kind).toBe('tls')
    // Its handshake is not HTTP, which the mock engine writes down.
    expect(engine.protocolErrors).toHaveLength(1)
    engine.forget()
  })

  it('is never named in the fault', async () => {
    await engine.refuse(true)
    const fault = await faultOf(transportTo(engine.url).send(post(), never))
    expect(fault.message).not.toMatch(/127\.0\.0\.1|\d{4}/)
  })
})

describe('a kept connection', () => {
  it('that dies before it answers anything is called stale', async () => {
    for (const behaviour of [mock.close('before-headers'), mock.reset('before-headers')]) {
      expect(await secondFault(behaviour)).toMatchObject({ kind: 'reset', staleConnection: true })
    }
  })

  it('that dies within its answer is not stale', async () => {
    expect(await secondFault(mock.reset('mid-headers'))).toMatchObject({ kind: 'reset', staleConnection: false })
  })

  it('that dies after the engine has worked for a while is not stale', async () => {
    const slow = mock.delayed(1_200, mock.reset('before-headers'))
    const transport = transportTo(engine.url, { firstByteMs: 5_000 })
    await readStream((await transport.send(post(), never)).body)
    engine.next(slow)
    expect(await faultOf(transport.send(post(), never))).toMatchObject({ kind: 'reset', staleConnection: false })
  })

  it('that times out is not stale', async () => {
    expect(await secondFault(mock.hang('before-headers'))).toMatchObject({ staleConnection: false })
  })

  it('that the node closed while it was idle is replaced without anybody noticing', async () => {
    const transport = transportTo(engine.url)
    engine.next(mock.closeWhenIdle(5))
    await readStream((await transport.send(post(), never)).body)
    await waitFor('the socket to close', () => engine.openSockets === 0)
    await sleep(20)
    expect((await transport.send(post(), never)).status).toBe(200)
    expect(engine.sockets).toHaveLength(2)
  })

  it('with an answer that nobody asked for never gives it to the next request', async () => {
    const transport = transportTo(engine.url)
    engine.next(mock.secondResponse())
    await readStream((await transport.send(post(), never)).body)
    const { bytes } = await readStream((await transport.send(post(), never)).body)
    expect(bytes.toString()).not.toContain('stolen')
  })
})

describe('giving up', () => {
  it('before the head closes the connection within a second', async () => {
    engine.next(mock.hang('before-headers'))
    const abort = new AbortController()
    const sent = transportTo(engine.url, { firstByteMs: 60_000 }).send(post(), abort.signal)
    await waitFor('the request', () => engine.requests[0]?.bodyComplete)
    abort.abort()
    expect((await faultOf(sent)).kind).toBe('aborted')
    await waitFor('the socket to close', () => engine.openSockets === 0, { withinMs: stretched(1_000) })
  })

  it('after the head closes the connection within a second and tells the reader', async () => {
    engine.next(mock.hang({ chunks: 1 }))
    const abort = new AbortController()
    const { body } = await transportTo(engine.url, { idleMs: 60_000 }).send(post(), abort.signal)
    const reading = readStream(body)
    abort.abort()
    expect((await reading).ending).toMatchObject({ kind: 'aborted' })
    await waitFor('the socket to close', () => engine.openSockets === 0, { withinMs: stretched(1_000) })
  })

  it('by cancel closes the connection, and the reader hears nothing more', async () => {
    engine.next(mock.fastStream())
    const { body } = await transportTo(engine.url).send(post(), never)
    const heard: string[] = []
    body.consume({
      onBytes: () => {
        heard.push('bytes')
        body.cancel()
      },
      onEnd: () => heard.push('end'),
      onFault: () => heard.push('fault'),
    })
    await waitFor('the socket to close', () => engine.openSockets === 0, { withinMs: stretched(1_000) })
    body.cancel()
    expect(heard).toEqual(['bytes'])
  })

  it('before the connection stands sends nothing', async () => {
    const hole = await mock.startBlackHole()
    const abort = new AbortController()
    const sent = transportTo(hole.url).send(post(), abort.signal)
    await sleep(20)
    abort.abort()
    expect((await faultOf(sent)).kind).toBe('aborted')
    await hole.close()
  })

  it('with a signal that is over already asks nobody', async () => {
    expect((await faultOf(transportTo(engine.url).send(post(), AbortSignal.abort()))).kind).toBe('aborted')
    expect(engine.requests).toHaveLength(0)
  })

  it('after the end leaves the connection to the next request', async () => {
    const transport = transportTo(engine.url)
    const abort = new AbortController()
    const { body } = await transport.send(post(), abort.signal)
    await readStream(body)
    abort.abort()
    body.cancel()
    body.resume()
    await readStream((await transport.send(post(), never)).body)
    expect(engine.sockets).toHaveLength(1)
  })
})

describe('a slow reader', () => {
  it('stops the node: what it writes stays bounded until the reader goes on', async () => {
    engine.next(mock.fastStream({ mebibytes: 256 }))
    const { body } = await transportTo(engine.url, { idleMs: 60_000 }).send(post(), never)
    let bytes = 0
    body.consume({
      onBytes: chunk => {
        bytes += chunk.length
        body.pause()
      },
      onEnd: () => undefined,
      onFault: () => undefined,
    })
    const written = () => engine.requests[0]?.bytesWritten ?? 0
    await sleep(300)
    const [readBefore, writtenBefore] = [bytes, written()]
    await sleep(300)
    expect(bytes).toBe(readBefore)
    expect(written()).toBe(writtenBefore)
    expect(written()).toBeLessThan(16 * 1024 * 1024)
    body.resume()
    await waitFor('more bytes', () => bytes > readBefore)
    body.cancel()
  })

  it('that has not begun to read stops the node too', async () => {
    engine.next(mock.fastStream({ mebibytes: 256 }))
    const { body } = await transportTo(engine.url, { idleMs: 60_000 }).send(post(), never)
    await sleep(300)
    expect(engine.requests[0]?.bytesWritten).toBeLessThan(16 * 1024 * 1024)
    body.cancel()
  })

  it('that pauses at the first bytes gets no more than had come, until it goes on', async () => {
    engine.next(mock.fastStream({ mebibytes: 256 }))
    const { body } = await transportTo(engine.url, { idleMs: 60_000 }).send(post(), never)
    await sleep(200)
    let bytes = 0
    body.pause()
    body.consume({
      onBytes: chunk => {
        bytes += chunk.length
      },
      onEnd: () => undefined,
      onFault: () => undefined,
    })
    const early = bytes
    await sleep(200)
    expect(early).toBeGreaterThan(0)
    expect(bytes).toBe(early)
    body.resume()
    await waitFor('more bytes', () => bytes > early)
    body.cancel()
  })

  it('is not taken for a silent node', async () => {
    engine.next(mock.fastStream({ mebibytes: 256 }))
    const { body } = await transportTo(engine.url, { idleMs: 300 }).send(post(), never)
    const heard: string[] = []
    body.consume({
      onBytes: () => body.pause(),
      onEnd: () => heard.push('end'),
      onFault: fault => heard.push(fault.kind),
    })
    await sleep(2_000)
    expect(heard).toEqual([])
    body.cancel()
  })
})

describe('a reader that throws', () => {
  it.each(['onBytes', 'onReadEnd', 'onEnd'] as const)('in %s is told of a fault, and nobody else is', async method => {
    const transport = transportTo(engine.url)
    engine.next(mock.answer({ chunks: 10, everyMs: 5 }))
    const { body } = await transport.send(post(), never)
    const fault = await new Promise<EngineFault>(resolve => {
      const sink = { onBytes: () => undefined, onReadEnd: () => undefined, onEnd: () => undefined, onFault: resolve }
      body.consume({
        ...sink,
        [method]: () => {
          throw new Error('a bug of the reader')
        },
      })
    })
    expect(fault).toMatchObject({ kind: 'bad_answer', cause: new Error('a bug of the reader') })
    expect((await transport.send(post(), never)).status).toBe(200)
  })
})
