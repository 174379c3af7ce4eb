import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { exchangeRaw, openRaw, rawRequest } from '../support/raw-http.ts'

/** Messages that two readers could read in two ways never get as far as a handler, and nothing of them to an engine. */

const gateway = useGateway({ accounts: { other: {} } })

const path = '/v1/chat/completions'
const body = '{"model":"test/model","messages":[{"role":"user","content":"hi"}]}'
const authorization = () => `Authorization: Bearer ${gateway.account().key}`
const message = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const common = () => [`POST ${path} HTTP/1.1`, 'Host: x', authorization(), 'Content-Type: application/json'] as const

const malformed: Record<string, () => string> = {
  'length and chunks': () =>
    `${message(...common(), `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'two lengths': () => message(...common(), 'Content-Length: 5', `Content-Length: ${body.length}`) + body,
  'a list of lengths': () => message(...common(), 'Content-Length: 5, 5') + body,
  'a negative length': () => message(...common(), 'Content-Length: -5') + body,
  'a length with a sign': () => message(...common(), `Content-Length: +${body.length}`) + body,
  'a hexadecimal length': () => message(...common(), 'Content-Length: 0x10') + body,
  'an unknown coding': () => `${message(...common(), 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`,
  'a folded header': () => message(...common(), 'X-Fold: a', ' b', `Content-Length: ${body.length}`) + body,
  'a space before the colon': () => message(...common(), `Content-Length : ${body.length}`) + body,
  'a NUL in a header': () => message(...common(), 'X-Nul: a\u0000b', `Content-Length: ${body.length}`) + body,
  'a bare CR in a header': () => message(...common(), 'X-Cr: a\rb', `Content-Length: ${body.length}`) + body,
  'a bad chunk size': () => `${message(...common(), 'Transfer-Encoding: chunked')}zz\r\n${body}\r\n0\r\n\r\n`,
  'a huge chunk size': () => `${message(...common(), 'Transfer-Encoding: chunked')}ffffffffffffffffff\r\n${body}`,
  'no host': () => message(`POST ${path} HTTP/1.1`, authorization(), 'Content-Length: 0'),
  'an unknown version': () => message(`POST ${path} HTTP/3.0`, 'Host: x'),
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a method that is none': () => message('BREW /pot HTTP/1.1', 'Host: x'),
  'TLS where none is spoken': () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
  'a line feed alone': () => `\n\n${'\u0001'}\n\n`,
}

describe('a malformed message', () => {
  it.each(Object.entries(malformed))('%s: an error in our shape, and the connection is closed', async (_, make) => {
    const { responses, closedBy } = await exchangeRaw(gateway.port, Buffer.from(make(), 'latin1'), { withinMs: 3_000 })
    expect(closedBy).toBeDefined()
    expect(responses.map(({ status }) => status)).toEqual([400])
    const [response] = responses
    expect(response?.headers['content-type']).toMatch(/^application\/json/)
    expect(response?.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/)
    expect(JSON.parse(response?.text ?? '')).toMatchObject({
      error: { type: 'invalid_request_error', code: expect.any(String) },
    })
    expect(gateway.engine().requests).toHaveLength(0)
  })

  it('an expectation that nobody knows: 417 in our shape', async () => {
    const bytes = message(...common(), 'Expect: 200-maybe', `Content-Length: ${body.length}`) + body
    const { responses } = await exchangeRaw(gateway.port, bytes, { withinMs: 1_000 })
    expect(responses[0]?.status).toBe(417)
    expect(JSON.parse(responses[0]?.text ?? '')).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(gateway.engine().requests).toHaveLength(0)
  })

  it('headers beyond 16 KiB: 431 in our shape', async () => {
    const bytes = message(...common(), `X-Large: ${'h'.repeat(20_000)}`, 'Content-Length: 0')
    const { responses, closedBy } = await exchangeRaw(gateway.port, bytes, { withinMs: 3_000 })
    expect(closedBy).toBeDefined()
    expect(responses[0]?.status).toBe(431)
    expect(JSON.parse(responses[0]?.text ?? '')).toMatchObject({ error: { code: 'headers_too_large' } })
  })

  it('a body that breaks off: no engine call', async () => {
    const connection = await openRaw(gateway.port)
    await connection.send(
      rawRequest(path, {
        headers: { Authorization: `Bearer ${gateway.account().key}`, 'Content-Length': '500' },
        body,
      }),
    )
    connection.endWriting()
    await connection.closed()
    expect(gateway.engine().requests).toHaveLength(0)
    connection.destroy()
  })
})

describe('a legal message', () => {
  it('may come in chunks with extensions and trailers', async () => {
    const half = Math.floor(body.length / 2)
    const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`
    const bytes = `${message(...common(), 'Transfer-Encoding: chunked')}${chunk(body.slice(0, half), ';x=y')}${chunk(body.slice(half))}0\r\nX-Trailer: 1\r\n\r\n`
    const connection = await openRaw(gateway.port)
    await connection.send(bytes)
    expect((await connection.response()).status).toBe(200)
    connection.destroy()
  })

  it('may ask before it sends its body, and is told to go on', async () => {
    const connection = await openRaw(gateway.port)
    await connection.send(message(...common(), `Content-Length: ${body.length}`, 'Expect: 100-continue'))
    expect((await connection.response()).status).toBe(100)
    await connection.send(body)
    expect((await connection.response(2)).status).toBe(200)
    connection.destroy()
  })

  it('that asks first is refused before its body is sent', async () => {
    const connection = await openRaw(gateway.port)
    const wrong = common().map(line => (line.startsWith('Authorization') ? 'Authorization: Bearer vk-none' : line))
    await connection.send(message(...wrong, `Content-Length: ${body.length}`, 'Expect: 100-continue'))
    expect((await connection.response()).status).toBe(401)
    await sleep(100)
    expect(connection.responses.map(({ status }) => status)).toEqual([401])
    expect(connection.responses[0]?.rest).toHaveLength(0)
    connection.destroy()
  })

  it('may be pipelined: answers come in order, each billed to its own key', async () => {
    const connection = await openRaw(gateway.port)
    const before = await Promise.all(['main', 'other'].map(name => gateway.client.credits(gateway.account(name).key)))
    const requests = Array.from({ length: 20 }, (_, index) => {
      const { key } = gateway.account(index % 2 === 0 ? 'main' : 'other')
      return rawRequest(path, { headers: { Authorization: `Bearer ${key}` }, body })
    })
    await connection.send(Buffer.concat(requests))
    await connection.response(20, 20_000)
    expect(connection.responses.map(({ status }) => status)).toEqual(requests.map(() => 200))
    connection.destroy()
    const after = await Promise.all(['main', 'other'].map(name => gateway.client.credits(gateway.account(name).key)))
    const costs = connection.responses.map(({ text }) => JSON.parse(text).usage.cost as number)
    expect(new Set(costs).size).toBe(1)
    const spent = after.map(({ usedNano }, index) => usedNano - (before[index]?.usedNano ?? 0n))
    expect(spent[0]).toBe(spent[1])
    expect(spent[0]).toBeGreaterThan(0n)
  })
})
