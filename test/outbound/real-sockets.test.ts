import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { expect, it } from 'vitest'
import { createGuardedFetch } from '../../src/adapters/outbound/guarded-fetch.ts'
import { FetchRefused } from '../../src/core/guarded-fetch.ts'
import { realClock } from '../engines/real-clock.ts'
import { startUntrustedServer } from '../support/mock-engine/self-signed.ts'

const limits = { owner: 'acct_a', bytesMax: 1_000, totalMs: 10_000, redirectsMax: 0, accept: '*/*' }
const never = new AbortController().signal

function fetchAllowing(...allowed: readonly string[]) {
  return createGuardedFetch({
    clock: realClock,
    rules: () => ({ allowHosts: new Set(allowed), ownHosts: new Set(), machines: new Set() }),
  })
}

it('a host that the operator allows is looked up and dialled, by name and by address', async () => {
  const server = createServer((_request, response) => void response.end('hello'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fetch = fetchAllowing(`localhost:${port}`, `127.0.0.1:${port}`)
  for (const host of ['localhost', '127.0.0.1', '2130706433'])
    expect((await fetch({ ...limits, address: `http://${host}:${port}/` }, never)).bytes.toString()).toBe('hello')
  await new Promise(resolve => server.close(resolve))
})

it('a certificate that nobody signed ends the connection before anything is said', async () => {
  const server = await startUntrustedServer()
  const fetch = fetchAllowing(`localhost:${server.port}`)
  const answer = fetch({ ...limits, address: `https://localhost:${server.port}/` }, never)
  await expect(answer).rejects.toThrow(FetchRefused)
  expect(server.received).toHaveLength(0)
  await server.close()
})

it('a proxy of the environment has no say', async () => {
  const before = { ...process.env }
  Object.assign(process.env, { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1', NO_PROXY: '' })
  const server = createServer((_request, response) => void response.end('direct'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetched = await fetchAllowing(host)({ ...limits, address: `http://${host}/` }, never)
  expect(fetched.bytes.toString()).toBe('direct')
  process.env = before
  await new Promise(resolve => server.close(resolve))
})

it.each([
  ['compressed blocks', 'gzip', '1f8b0800000000000003', '000000ffff'],
  ['members', 'gzip', '', '1f8b080000000000000303000000000000000000'],
])('a body of %s that say nothing is over with its limit', async (_, encoding, head, block) => {
  const piece = Buffer.from(block.repeat(10_000), 'hex')
  const endless = function* () {
    yield Buffer.from(head, 'hex')
    for (;;) yield piece
  }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    pipeline(endless, response, () => undefined)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = fetchAllowing(host)({ ...limits, address: `http://${host}/` }, never)
  await expect(answer).rejects.toMatchObject({ reason: 'too_large' })
  await new Promise(resolve => server.close(resolve))
})

it('the machine’s own names and addresses are refused without being allowed', async () => {
  const fetch = fetchAllowing()
  for (const address of ['http://localhost/', 'http://127.0.0.1/', 'http://[::1]/', 'http://0.0.0.0/'])
    await expect(fetch({ ...limits, address }, never)).rejects.toMatchObject({ reason: 'address' })
})
