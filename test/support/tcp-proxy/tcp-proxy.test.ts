import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import { startTcpProxy, type TcpProxy } from './index.ts'

const quietMs = 150
let proxy: TcpProxy
let taken: number

/** A server that echoes, with a greeting. */
async function startEcho(greeting: string): Promise<{ port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      taken += chunk.length
    })
    socket.write(greeting)
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port }
}

/** A client that keeps what it got and how it ended. */
function dial(): { socket: Socket; text: () => string; ended: () => string | undefined } {
  const socket = connect({ port: proxy.port, host: '127.0.0.1' })
  let text = ''
  let ended: string | undefined
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  socket.on('end', () => {
    ended ??= 'end'
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    ended ??= error.code
  })
  onTestFinished(() => {
    socket.destroy()
  })
  return { socket, text: () => text, ended: () => ended }
}

async function greeted(): Promise<ReturnType<typeof dial>> {
  const client = dial()
  await waitFor('the greeting', () => client.text() === 'hello ')
  return client
}

beforeEach(async () => {
  taken = 0
  proxy = await startTcpProxy(await startEcho('hello '))
})

test('carries bytes both ways, and the end of a stream by itself', async () => {
  const client = dial()
  client.socket.end('world')
  await waitFor('the end', client.ended)
  expect([client.text(), client.ended()]).toEqual(['hello world', 'end'])
  await waitFor('the proxy to forget it', () => proxy.open === 0)
  expect(proxy.accepted).toBe(1)
})

test('cut resets what is open and takes new connections', async () => {
  const client = await greeted()
  expect(proxy.cut()).toBe(1)
  expect(await waitFor('the reset', client.ended)).toBe('ECONNRESET')
  await greeted()
})

test('refuse leaves what is open alone, and heal listens on the same port', async () => {
  const client = await greeted()
  await proxy.refuse()
  expect(await waitFor('the refusal', dial().ended)).toBe('ECONNREFUSED')
  client.socket.write('still here')
  await waitFor('the echo', () => client.text() === 'hello still here')
  await proxy.heal()
  await greeted()
})

test('stall accepts and is silent, with bounded buffers, and heal lets everything through', async () => {
  proxy.stall()
  const client = dial()
  await once(client.socket, 'connect')
  const sent = 'x'.repeat(16 * 1024 * 1024)
  client.socket.write(sent)
  await sleep(quietMs)
  expect(client.text()).toBe('')
  expect(taken).toBe(0)
  // What the proxy and the kernel did not take is still with the sender.
  expect(client.socket.writableLength).toBeGreaterThan(0)
  expect(proxy.waitingBytes).toBeLessThan(1024 * 1024)
  await proxy.heal()
  await waitFor('everything', () => client.text().length === sent.length + 'hello '.length)
})

test('delay is added once in each direction, not once per chunk', async () => {
  const client = await greeted()
  proxy.delay(quietMs)
  const start = performance.now()
  for (let number = 0; number < 10; number += 1) {
    client.socket.write(String(number))
    await sleep(5)
  }
  await waitFor('the echo', () => client.text() === 'hello 0123456789')
  const tookMs = performance.now() - start
  expect(tookMs).toBeGreaterThanOrEqual(2 * quietMs)
  expect(tookMs).toBeLessThan(9 * quietMs)
})

test.each([0, 1, 4])('dropAfterBytes lets %d bytes of an answer through and resets, once', async bytes => {
  const client = await greeted()
  proxy.dropAfterBytes('toClient', bytes)
  client.socket.write('answer')
  // A reset that is read together with the last bytes looks like an end to Node.
  expect(await waitFor('the reset', client.ended)).toMatch(bytes === 0 ? /^ECONNRESET$/ : /^(ECONNRESET|end)$/)
  expect(client.text()).toBe(`hello ${'answer'.slice(0, bytes)}`)
  expect(taken).toBe('answer'.length)
  await greeted()
})

test('dropAfterBytes cuts a request before the server has all of it', async () => {
  const client = await greeted()
  proxy.dropAfterBytes('toServer', 3)
  client.socket.write('request')
  await waitFor('the reset', client.ended)
  expect(taken).toBe(3)
})

test('dropBefore loses the answer and what comes after it', async () => {
  const client = await greeted()
  proxy.dropBefore('toClient', 'COMMIT')
  client.socket.write('INSERT,COMMIT,more')
  await waitFor('the reset', client.ended)
  expect(client.text()).toBe('hello INSERT,')
  expect(taken).toBe('INSERT,COMMIT,more'.length)
})

test('aimAt sends new connections elsewhere', async () => {
  await greeted()
  proxy.aimAt(await startEcho('other '))
  const client = dial()
  await waitFor('the other greeting', () => client.text() === 'other ')
})

test('resets a client whose server is down', async () => {
  proxy.aimAt({ port: 1 })
  expect(await waitFor('the reset', dial().ended)).toBe('ECONNRESET')
})
