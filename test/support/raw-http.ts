import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { parseRawResponses, type RawResponse } from './raw-response.ts'
import { waitFor } from './wait-for.ts'

/** A socket on which a test speaks bytes. Close it with `destroy`, or let the peer do it. */
export interface RawConnection {
  /** Everything that came so far. */
  readonly received: Buffer
  /** `received`, cut into HTTP responses; what does not parse is in the last one's `rest`. */
  readonly responses: readonly RawResponse[]
  /** Undefined while the connection is open. */
  readonly closedBy: 'peer-fin' | 'peer-reset' | 'us' | undefined
  /** `performance.now()` of the close. */
  readonly closedAt: number | undefined
  /** Resolves when the bytes are with the kernel. Writing to a connection that the peer closed does nothing. */
  send(bytes: string | Buffer): Promise<void>
  /** Sends in pieces of `size` bytes with `everyMs` between them and stops when the peer closes. Returns bytes sent. */
  sendSlowly(bytes: string | Buffer, options: { size?: number; everyMs: number }): Promise<number>
  /** Stops reading, so that the peer meets back-pressure. */
  pause(): void
  resume(): void
  /** Half-closes: FIN from our side, reading goes on. */
  endWriting(): void
  /** Aborts with RST. */
  reset(): void
  destroy(): void
  /** Waits until this many complete responses came. Default one, within 5,000 ms. */
  response(count?: number, withinMs?: number): Promise<RawResponse>
  /** Waits until the connection is closed, and says by whom. */
  closed(withinMs?: number): Promise<'peer-fin' | 'peer-reset' | 'us'>
}

const DEFAULT_WITHIN_MS = 5_000

/** Connects to 127.0.0.1. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return wrap(socket)
}

/** Sends the bytes on a connection of its own and reads until the peer closes, or for `withinMs` (default 1,000). */
export async function exchangeRaw(
  port: number,
  bytes: string | Buffer,
  options: { withinMs?: number } = {},
): Promise<Pick<RawConnection, 'received' | 'responses' | 'closedBy'>> {
  const connection = await openRaw(port)
  await connection.send(bytes)
  const end = performance.now() + (options.withinMs ?? 1_000)
  while (connection.closedBy === undefined && performance.now() < end) await setTimeout(5)
  const { received, responses, closedBy } = connection
  connection.destroy()
  return { received, responses, closedBy }
}

/** The bytes of a well-formed request: Content-Length is right unless `headers` say something else. */
export function rawRequest(
  path: string,
  options: { method?: string; headers?: Readonly<Record<string, string>>; body?: string | Buffer | object } = {},
): Buffer {
  const { method = 'POST', headers = {}, body = '' } = options
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const all = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

function wrap(socket: Socket): RawConnection {
  const pieces: Buffer[] = []
  let closedBy: RawConnection['closedBy']
  let closedAt: number | undefined

  function closeBy(who: 'peer-fin' | 'peer-reset' | 'us'): void {
    closedBy ??= who
    closedAt ??= performance.now()
  }
  socket.on('data', bytes => pieces.push(bytes))
  socket.on('end', () => {
    closeBy('peer-fin')
    socket.end()
  })
  socket.on('error', () => closeBy('peer-reset'))
  socket.on('close', () => closeBy('us'))

  function send(bytes: string | Buffer): Promise<void> {
    return new Promise(resolve => {
      if (socket.writable) socket.write(bytes, () => resolve())
      else resolve()
    })
  }
  const received = () => Buffer.concat(pieces)
  const responses = () => parseRawResponses(received(), closedBy !== undefined)

  return {
    get received() {
      return received()
    },
    get responses() {
      return responses()
    },
    get closedBy() {
      return closedBy
    },
    get closedAt() {
      return closedAt
    },
    send,
    async sendSlowly(bytes, { size = 1, everyMs }) {
      const all = Buffer.from(bytes)
      let sent = 0
      while (sent < all.length && closedBy === undefined) {
        await send(all.subarray(sent, sent + size))
        sent = Math.min(all.length, sent + size)
        await setTimeout(everyMs)
      }
      return sent
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    endWriting: () => socket.end(),
    reset: () => socket.resetAndDestroy(),
    destroy: () => socket.destroy(),
    response: (count = 1, withinMs = DEFAULT_WITHIN_MS) =>
      waitFor(
        `response ${count}`,
        () => {
          const response = responses()[count - 1]
          if (response?.complete !== true && closedBy !== undefined) {
            throw new Error(
              `closed (${closedBy}) before response ${count}: ${received().toString('latin1').slice(0, 500)}`,
            )
          }
          return response?.complete === true ? response : undefined
        },
        { withinMs },
      ),
    closed: (withinMs = DEFAULT_WITHIN_MS) => waitFor('the connection to close', () => closedBy, { withinMs }),
  }
}
