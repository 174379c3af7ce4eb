import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRaw, rawRequest } from '../raw-http.ts'
import { openSse, readSse } from '../read-sse.ts'
import { waitFor } from '../wait-for.ts'
import { type Asked, askEngine } from './ask-engine.ts'
import {
  answerJson,
  type Behaviour,
  closeWhenIdle,
  endlessBlankLines,
  endlessComments,
  endlessEmptyData,
  endlessEvent,
  errorBodies,
  fastStream,
  giganticJson,
  giganticJunkLine,
  giganticLine,
  hugeHeader,
  informational,
  LEAKY_HEADERS,
  lateResponse,
  leakyHeaders,
  type MockEngine,
  manyHeaders,
  rateLimited,
  redirect,
  retryAfterValues,
  secondResponse,
  startMockEngine,
  status,
  withHeaders,
  withTrailers,
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

const names = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[]

describe('status', () => {
  test.each([400, 401, 403, 404, 413, 418, 422, 429, 500, 502, 503, 504, 529, 599])('%i is answered', async code => {
    const { response, closedBy } = await ask(status(code), { stream: true })
    expect(response).toMatchObject({ status: code, complete: true })
    expect(JSON.parse(response?.text ?? '').error.message).toBe(`mock engine says ${code}`)
    expect(closedBy).toBeUndefined()
  })

  test.each(names(errorBodies))('has the body %s', async kind => {
    const { contentType, body } = errorBodies[kind]('no such <thing>')
    const { response } = await ask(status(422, { body: errorBodies[kind]('no such <thing>'), headers: [['X-A', 'b']] }))
    expect(response).toMatchObject({ status: 422, complete: true, text: body })
    expect(response?.headers['content-type']).toBe(contentType)
    expect(response?.headers['x-a']).toBe('b')
  })

  test('takes a JSON value or text as its body', async () => {
    expect((await ask(status(400, { body: { detail: 'x' } }))).response?.text).toBe('{"detail":"x"}')
    expect((await ask(status(400, { body: 'plain' }))).response?.headers['content-type']).toMatch(/^text\/plain/)
  })

  test.each(names(retryAfterValues))('429 comes with the Retry-After %s', async kind => {
    const { response } = await ask(rateLimited(kind))
    expect(response?.status).toBe(429)
    const value = response?.headers['retry-after']
    if (kind === 'none') expect(value).toBeUndefined()
    else if (kind === 'date') expect(Date.parse(value ?? '') - Date.now()).toBeGreaterThan(15_000)
    else if (kind === 'pastDate') expect(Date.parse(value ?? '')).toBeLessThan(Date.now())
    else if (kind === 'isoDate') expect(value).toMatch(/^\d{4}-/)
    else expect(value).toBe(retryAfterValues[kind]())
  })
})

describe('heads', () => {
  test.each([100, 102, 103] as const)('may be preceded by %i responses', async code => {
    const { responses, response } = await ask(informational({ code, count: 50 }))
    expect(responses.map(({ status }) => status)).toEqual([...Array(50).fill(code), 200])
    expect(JSON.parse(response?.text ?? '').object).toBe('chat.completion')
  })

  test('may be large', async () => {
    const many = await ask(manyHeaders(100))
    expect(many.response?.headers['x-engine-99']).toBe('value 99')
    const huge = await ask(hugeHeader(1024 * 1024))
    expect(huge.response?.headers['x-engine-huge']).toHaveLength(1024 * 1024)
  })

  test('may carry what must not reach a caller, in headers and trailers', async () => {
    const cached = await ask(withHeaders([['Age', '5']], answerJson()), { stream: true })
    expect(cached.response?.headers).toMatchObject({ age: '5', 'content-type': 'application/json' })
    const { response } = await ask(leakyHeaders())
    for (const header of LEAKY_HEADERS) expect(response?.rawHeaders).toContainEqual(header)
    const trailed = await ask(withTrailers())
    expect(trailed.response).toMatchObject({ complete: true, trailers: 'X-Engine-Checksum: abc\r\nSet-Cookie: late=1' })
  })

  test('may redirect', async () => {
    const { response } = await ask(redirect('http://127.0.0.1:1/v1'))
    expect(response).toMatchObject({ status: 307, headers: { location: 'http://127.0.0.1:1/v1' } })
  })
})

describe('connections', () => {
  test('may bring a second response that nobody asked for', async () => {
    const { connection, responses } = await ask(secondResponse())
    await connection.response(2)
    expect(connection.responses[1]?.text).toContain('stolen answer')
    expect(responses[0]?.text).not.toContain('stolen')
  })

  test('may bring one while they are idle', async () => {
    const { connection } = await ask(lateResponse(200))
    expect(connection.responses).toHaveLength(1)
    expect((await connection.response(2)).text).toContain('late answer')
  })

  test.each([
    ['close', 'peer-fin'],
    ['reset', 'peer-reset'],
  ] as const)('may end by %s while they are idle', async (how, closedBy) => {
    const { connection, response } = await ask(closeWhenIdle(200, how))
    expect(response?.complete).toBe(true)
    expect(connection.closedBy).toBeUndefined()
    expect(await connection.closed()).toBe(closedBy)
  })
})

describe('floods', () => {
  test.each<[string, Behaviour, string]>([
    ['giganticLine', giganticLine({ mebibytes: 1 }), 'data: {"id":"xxx'],
    ['giganticJunkLine', giganticJunkLine({ mebibytes: 1 }), 'yyyy'],
    ['endlessEvent', endlessEvent({ mebibytes: 1 }), 'data: {"more": true}\ndata: {"more": true}\n'],
    ['endlessEmptyData', endlessEmptyData({ mebibytes: 1 }), 'data:\n\ndata:\n\n'],
    ['endlessComments', endlessComments({ mebibytes: 1 }), ': still here\n: still here\n'],
    ['endlessBlankLines', endlessBlankLines({ mebibytes: 1 }), '\n\n\n'],
    ['giganticJson', giganticJson({ mebibytes: 1 }), '{"id":"x","object":"chat.completion"'],
    ['fastStream', fastStream({ mebibytes: 1 }), 'data: {"id":"mock-fast"'],
  ])('%s sends as much as it is told and ends well', async (_, behaviour, start) => {
    const reading = await sse(behaviour)
    expect(await reading.ended).toBe('complete')
    expect(reading.raw.length).toBeGreaterThanOrEqual(1024 * 1024)
    expect(reading.raw.length).toBeLessThan(1.2 * 1024 * 1024)
    expect(reading.text.startsWith(start)).toBe(true)
  })

  function sse(behaviour: Behaviour) {
    engine.always(behaviour)
    return openSse({ url: `${engine.url}/chat/completions`, body: { stream: true } })
  }

  test('giganticJson is valid JSON', async () => {
    engine.always(giganticJson({ mebibytes: 1 }))
    const { text } = await readSse({ url: `${engine.url}/chat/completions`, body: {} })
    expect(JSON.parse(text).choices[0].message.content.length).toBeGreaterThanOrEqual(1024 * 1024)
  })

  test('without a limit stop when the peer leaves', async () => {
    engine.always(giganticLine())
    const connection = await openRaw(engine.port)
    await connection.send(rawRequest('/v1/chat/completions', { body: { stream: true } }))
    await waitFor('some megabytes', () => (engine.requests[0]?.bytesWritten ?? 0) > 4 * 1024 * 1024)
    connection.destroy()
    await waitFor('the end', () => engine.requests[0]?.ending === 'peer-closed')
    const written = engine.requests[0]?.bytesWritten
    await setTimeout(30)
    expect(engine.requests[0]?.bytesWritten).toBe(written)
  })

  test('obey back-pressure: when the peer does not read, only the buffers of the kernel fill', async () => {
    engine.always(fastStream())
    const connection = await openRaw(engine.port)
    connection.pause()
    await connection.send(rawRequest('/v1/chat/completions', { body: { stream: true } }))
    let before = -1
    const stalled = await waitFor('the writes to stall', async () => {
      const written = engine.requests[0]?.bytesWritten ?? 0
      const same = written > 0 && written === before
      before = written
      await setTimeout(60)
      return same && written
    })
    expect(stalled).toBeLessThan(64 * 1024 * 1024)
    expect(engine.servedTokens).toBeGreaterThan(1_000)
    connection.resume()
    await waitFor('the writes to go on', () => (engine.requests[0]?.bytesWritten ?? 0) > stalled)
    connection.destroy()
  })
})
