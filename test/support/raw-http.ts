import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { parseRawResponses, type RawResponse } from './raw-response.ts'
import { waitFor } from './wait-for.ts'

const DEFAULT_WITHIN_MS = 5_000

/** Who ended a connection. A reset behind unread bytes may look like `peer-fin`. */
type ClosedBy = 'peer-fin' | 'peer-reset' | 'us'

/** A socket on which a test speaks bytes. Close it with `destroy`, or let the peer do it. */
export class RawConnection {
  readonly #socket: Socket
  readonly #pieces: Buffer[] = []
  #closedBy: ClosedBy | undefined
  #closedAt: number | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', bytes => this.#pieces.push(bytes))
    socket.on('end', () => {
      this.#close('peer-fin')
      socket.end()
    })
    socket.on('error', () => this.#close('peer-reset'))
    socket.on('close', () => this.#close('us'))
  }

  /** Everything that came so far. */
  get received(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  /** `received`, cut into HTTP responses; what does not parse is in the last one's `rest`. */
  get responses(): readonly RawResponse[] {
    return parseRawResponses(this.received, this.#closedBy !== undefined)
  }

  /** Undefined while the connection is open. */
  get closedBy(): ClosedBy | undefined {
    return this.#closedBy
  }

  /** `performance.now()` of the close. */
  get closedAt(): number | undefined {
    return this.#closedAt
  }

  /** Resolves when the bytes are with the kernel. Writing to a connection that the peer closed does nothing. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise(resolve => {
      if (this.#socket.writable) this.#socket.write(bytes, () => resolve())
      else resolve()
    })
  }

  /** Sends in pieces of `size` bytes with `everyMs` between them and stops when the peer closes. Returns bytes sent. */
  async sendSlowly(bytes: string | Buffer, options: { size?: number; everyMs: number }): Promise<number> {
    const { size = 1, everyMs } = options
    const all = Buffer.from(bytes)
    let sent = 0
    while (sent < all.length && this.#closedBy === undefined) {
      await this.send(all.subarray(sent, sent + size))
      sent = Math.min(all.length, sent + size)
      await setTimeout(everyMs)
    }
    return sent
  }

  /** Stops reading, so that the peer meets back-pressure. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Half-closes: FIN from our side, reading goes on. */
  endWriting(): void {
    this.#socket.end()
  }

  /** Aborts with RST. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Waits until this many complete responses came, informational ones included. */
  response(count = 1, withinMs = DEFAULT_WITHIN_MS): Promise<RawResponse> {
    return waitFor(
      `response ${count}`,
      () => {
        const response = this.responses[count - 1]
        if (response?.complete === true) return response
        if (this.#closedBy === undefined) return undefined
        const came = this.received.toString('latin1').slice(0, 500)
        throw new Error(`closed (${this.#closedBy}) before response ${count}: ${came}`)
      },
      { withinMs },
    )
  }

  /** Waits until the connection is closed, and says by whom. */
  closed(withinMs = DEFAULT_WITHIN_MS): Promise<ClosedBy> {
    return waitFor('the connection to close', () => this.#closedBy, { withinMs })
  }

  #close(by: ClosedBy): void {
    this.#closedBy ??= by
    this.#closedAt ??= performance.now()
  }
}

/** Connects to 127.0.0.1. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return new RawConnection(socket)
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
