import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { findLastingPort } from '../lasting-port.ts'
import { type Direction, noFaults } from './faults.ts'
import { Flow } from './flow.ts'

const connectionsMax = 2_000

interface Connection {
  readonly sockets: readonly [Socket, Socket]
  readonly flows: readonly Flow[]
}

/** A TCP proxy on 127.0.0.1 that goes wrong when a test says so, and keeps its port for life. */
export class TcpProxy {
  readonly port: number
  #targetPort: number
  readonly #faults = noFaults()
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  #accepted = 0

  private constructor(port: number, targetPort: number) {
    this.port = port
    this.#targetPort = targetPort
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, client => this.#accept(client))
    this.#server.maxConnections = connectionsMax
  }

  /** Listens before a server on 127.0.0.1, which need not run yet. */
  static async start(target: { readonly port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(await findLastingPort(), target.port)
    await proxy.#listen()
    return proxy
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#connections.size
  }

  /** Connections that were ever accepted. */
  get accepted(): number {
    return this.#accepted
  }

  /** Bytes that are held back now. */
  get waitingBytes(): number {
    return [...this.#connections].flatMap(({ flows }) => flows).reduce((sum, flow) => sum + flow.waitingBytes, 0)
  }

  /** The same URL through this proxy. */
  through(url: string): string {
    const changed = new URL(url)
    changed.port = String(this.port)
    return changed.href
  }

  /** New connections go to another server; those that exist stay until they are cut. */
  aimAt(target: { readonly port: number }): void {
    this.#targetPort = target.port
  }

  /** Resets all connections, and still takes new ones. Returns how many there were. */
  cut(): number {
    const cut = [...this.#connections]
    for (const connection of cut) this.#reset(connection)
    return cut.length
  }

  /** Refuses new connections until `heal`. With `cut`, it is as if the host was down. */
  async refuse(): Promise<void> {
    if (!this.#server.listening) return
    // The callback of close would wait for the connections that exist.
    this.#server.close()
    if (this.#server.listening) await once(this.#server, 'close')
  }

  /** Accepts and takes bytes until its buffers are full, but gives none on until `heal`. */
  stall(): void {
    this.#faults.stalled = true
  }

  /** Each byte that comes from now on takes so long, in each direction. */
  delay(ms: number): void {
    this.#faults.delayMs = ms
  }

  /** Lets so many more bytes pass in a direction, over all connections, and resets the one whose turn it then is. Once. */
  dropAfterBytes(direction: Direction, bytes: number): void {
    this.#faults.cutPoint = { direction, bytesLeft: bytes, beforeText: undefined }
  }

  /**
   * Resets the connection that is about to carry a text, right before it. Once. `dropBefore('toClient', 'COMMIT')` loses the
   * answer of a COMMIT that was carried out. The text must not be spread over two chunks, as an answer of few bytes is not.
   */
  dropBefore(direction: Direction, text: string): void {
    this.#faults.cutPoint = { direction, bytesLeft: 0, beforeText: text }
  }

  /** Takes all faults away: what was held back moves on, and new connections are taken again on the same port. */
  async heal(): Promise<void> {
    Object.assign(this.#faults, noFaults())
    for (const { flows } of this.#connections) for (const flow of flows) flow.move()
    if (!this.#server.listening) await this.#listen()
  }

  async close(): Promise<void> {
    this.cut()
    await this.refuse()
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  #accept(client: Socket): void {
    this.#accepted += 1
    const server = connect({ port: this.#targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const cut = () => this.#reset(connection)
    const connection: Connection = {
      sockets: [client, server],
      flows: [
        new Flow({ from: client, to: server, cut }, 'toServer', this.#faults),
        new Flow({ from: server, to: client, cut }, 'toClient', this.#faults),
      ],
    }
    this.#connections.add(connection)
    for (const socket of connection.sockets) {
      socket.on('error', cut)
      socket.on('close', () => this.#forgetWhenClosed(connection))
    }
  }

  #reset(connection: Connection): void {
    for (const flow of connection.flows) flow.close()
    for (const socket of connection.sockets) socket.resetAndDestroy()
    this.#connections.delete(connection)
  }

  #forgetWhenClosed(connection: Connection): void {
    if (connection.sockets.every(socket => socket.destroyed)) this.#connections.delete(connection)
  }
}
