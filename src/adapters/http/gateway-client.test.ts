import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { GatewayUnreachable } from '../../core/gateway-client.ts'
import type { JsonObject } from '../../lib/json.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { Secret } from '../../lib/secret.ts'
import { createGatewayClient } from './gateway-client.ts'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise<void>(resolve => (server === undefined ? resolve() : server.close(() => resolve())))
})

/** A client of a server that answers as the test says. */
async function clientOf(listener: RequestListener, path = '') {
  server = createServer(listener)
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}${path}`
  return createGatewayClient({ baseUrl, apiKey: new Secret('vk-test'), userAgent: 'test' })
}

const never = new AbortController().signal

async function collect(events: AsyncIterable<JsonObject>): Promise<JsonObject[]> {
  const all: JsonObject[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('a stream', () => {
  it('is asked for with the key and gives each event’s JSON, without comments and the end mark', async () => {
    const client = await clientOf((request, response) => {
      expect(request.headers).toMatchObject({ authorization: 'Bearer vk-test', 'content-type': 'application/json' })
      expect(request.url).toBe('/behind/v1/x')
      response.end(': keep-alive\n\ndata: {"a":1}\n\ndata: {"b":"€"}\n\ndata: [DONE]\n\n')
    }, '/behind')
    expect(await collect(client.stream('/v1/x', { q: 1 }, never))).toEqual([{ a: 1 }, { b: '€' }])
    await client.close()
  })

  it('that is refused is the error that the gateway answered', async () => {
    const client = await clientOf((_, response) => response.writeHead(402).end('{"error":{"message":"Pay."}}'))
    expect(await collect(client.stream('/v1/x', {}, never))).toEqual([{ error: { message: 'Pay.' } }])
    await client.close()
  })

  it.each(['<html>', '{}', '[1]', ''])('answered with %j and an error status is an error that names it', async body => {
    const client = await clientOf((_, response) => response.writeHead(502).end(body))
    const [event] = await collect(client.stream('/v1/x', {}, never))
    expect(event).toEqual({ error: { message: 'The address answered 502, not as a gateway does.' } })
    await client.close()
  })

  it.each([
    ['ends without the end mark', 'data: {"a":1}\n\n', 'The answer broke off before its end.'],
    ['holds no JSON', 'data: nonsense\n\n', 'The answer holds an event that is no JSON object.'],
    ['holds no object', 'data: 3\n\n', 'The answer holds an event that is no JSON object.'],
    ['never ends a line', `data: ${'x'.repeat(1_100_000)}`, 'The answer is no stream of events (line_too_long).'],
  ])('that %s is no whole answer', async (_, body, message) => {
    const client = await clientOf((_request, response) => response.end(body))
    await expect(collect(client.stream('/v1/x', {}, never))).rejects.toThrow(new GatewayUnreachable(message))
    await client.close()
  })

  it('whose connection is cut says so', async () => {
    const client = await clientOf((_, response) => {
      response.write('data: {"a":1}\n\n')
      setTimeout(() => response.destroy(), 20)
    })
    await expect(collect(client.stream('/v1/x', {}, never))).rejects.toThrow(GatewayUnreachable)
    await client.close()
  })

  it('ends at once when the signal aborts, and the gateway sees it', async () => {
    let closed: () => void = () => undefined
    const gone = new Promise<void>(resolve => {
      closed = resolve
    })
    const client = await clientOf((_, response) => {
      response.on('close', closed)
      response.write('data: {"a":1}\n\n')
    })
    const stop = new AbortController()
    const reading = (async () => {
      for await (const _ of client.stream('/v1/x', {}, stop.signal)) stop.abort()
    })()
    await expect(reading).rejects.toThrow(/abort/i)
    await gone
    await client.close()
  })
})

describe('a small answer', () => {
  it('is its status and JSON, null for what is none', async () => {
    const client = await clientOf((request, response) => {
      response.writeHead(request.url === '/a' ? 200 : 404).end(request.url === '/a' ? '{"x":[1]}' : 'nope')
    })
    expect(await client.get('/a', never)).toEqual({ status: 200, body: { x: [1] } })
    expect(await client.get('/b', never)).toEqual({ status: 404, body: null })
    await client.close()
  })

  it('that does not come in time, or from nowhere, says where it was asked for', async () => {
    const client = await clientOf(() => undefined)
    await expect(client.get('/a', lastingTimeout(100))).rejects.toThrow(
      /^No gateway answers at http:.*it does not answer\.$/,
    )
    await client.close()
    const nowhere = createGatewayClient({ baseUrl: 'http://127.0.0.1:1', apiKey: null, userAgent: 'test' })
    await expect(nowhere.get('/a', never)).rejects.toThrow(
      'No gateway answers at http://127.0.0.1:1: nothing listens there.',
    )
    await nowhere.close()
  })
})
