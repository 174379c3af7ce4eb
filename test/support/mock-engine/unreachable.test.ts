import { request } from 'node:https'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import { startBlackHole, startMockEngine, startUntrustedServer } from './index.ts'

/** The error code of an HTTPS request that sends a key; undefined when it was answered. */
function errorOf(url: string, options: { trustAll?: boolean } = {}): Promise<string | undefined> {
  const headers = { authorization: 'Bearer engine-key' }
  const rejectUnauthorized = options.trustAll !== true
  return new Promise(resolve => {
    const clientRequest = request(url, { method: 'POST', agent: false, headers, rejectUnauthorized }, () =>
      resolve(undefined),
    )
    clientRequest.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    clientRequest.end('{}')
  })
}

test('a black hole neither accepts nor refuses', async () => {
  const hole = await startBlackHole()
  const events: string[] = []
  const socket = connect({ port: hole.port, host: '127.0.0.1' })
  socket.on('connect', () => events.push('connect'))
  socket.on('error', error => events.push(error.message))
  await setTimeout(300)
  expect(events).toEqual([])
  socket.destroy()
  await hole.close()
})

test('an untrusted server gets no byte of a client that checks certificates', async () => {
  const server = await startUntrustedServer()
  expect(await errorOf(server.url)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(server.received.length).toBe(0)
  const careless = errorOf(server.url, { trustAll: true })
  await waitFor('the key', () => server.received.includes('engine-key'))
  expect(server.handshakes).toBeGreaterThanOrEqual(1)
  await server.close()
  expect(await careless).toBe('ECONNRESET')
})

test('the mock engine itself fails a TLS handshake', async () => {
  const engine = await startMockEngine()
  expect(await errorOf(engine.url.replace('http:', 'https:'))).toMatch(/SSL|EPROTO/)
  expect(engine.requests).toHaveLength(0)
  await engine.close()
})
