import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createGuardedFetch } from '../../../src/adapters/outbound/guarded-fetch.ts'
import type { GuardedFetch } from '../../../src/core/guarded-fetch.ts'
import { realClock } from '../../engines/real-clock.ts'

/** A public address that stands for a real host: a dial to it is recorded and led to a loopback server. */
export const publicAddress = '93.184.215.14'

export interface RecordedNetwork {
  readonly fetch: GuardedFetch
  /** Every address that was dialled, in order. */
  readonly dialled: string[]
  /** What a name leads to when it is asked the nth time, counted from 0. */
  answer: (host: string, nth: number) => readonly string[]
  /** What the server behind the public address does. */
  serve: RequestListener
  close(): Promise<void>
}

export interface NetworkRules {
  readonly allowHosts?: readonly string[]
  readonly ownHosts?: readonly string[]
  /** Where the operator's own names lead. */
  readonly machines?: Readonly<Record<string, readonly string[]>>
}

/** A guarded fetch whose names and connections are the test's: nothing but one loopback server is ever reached. */
export async function recordNetwork(rules: NetworkRules = {}): Promise<RecordedNetwork> {
  const asked = new Map<string, number>()
  const server = createServer((request, response) => network.serve(request, response))
  const port = await listen(server)
  const hostRules = {
    allowHosts: new Set(rules.allowHosts),
    ownHosts: new Set(rules.ownHosts),
    machines: new Set(Object.keys(rules.machines ?? {})),
  }
  const network: RecordedNetwork = {
    dialled: [],
    answer: () => [publicAddress],
    serve: (_request, response) => void response.end('hello'),
    fetch: createGuardedFetch({
      clock: realClock,
      rules: () => hostRules,
      resolveOwn: async host => rules.machines?.[host] ?? [],
      resolve: async ({ host }) => {
        const nth = asked.get(host) ?? 0
        asked.set(host, nth + 1)
        return network.answer(host, nth)
      },
      dial: ({ address }) => {
        network.dialled.push(address)
        if (address !== publicAddress) return Promise.reject(new Error('recorded, not dialled'))
        return new Promise((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket))
          socket.once('error', reject)
        })
      },
    }),
    close: () => closeServer(server),
  }
  return network
}

function listen(server: Server): Promise<number> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(() => resolve()))
}
