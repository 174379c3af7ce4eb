import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { EngineRequest, EngineSocket, ExchangeEnding, JsonObject } from './engine-request.ts'
import { ProtocolError, type RequestHead, RequestParser } from './parse-request.ts'
import { playSteps } from './play-steps.ts'
import type { Behaviour } from './step.ts'

/** What a connection needs to know from the engine it belongs to. */
export interface SocketHost {
  /** Records the request; the number it gets is its index. */
  record(makeRequest: (index: number) => EngineRequest): EngineRequest
  /** The behaviour that starts before the body, when one is next in the queue. */
  chooseEarly(request: EngineRequest): Behaviour | undefined
  choose(request: EngineRequest): Behaviour
  /** The peer broke HTTP/1.1. */
  reportProtocolError(message: string): void
  /** A script threw: the test itself is wrong. */
  reportBehaviourError(error: unknown): void
}

interface Exchange {
  readonly request: EngineRequest
  readonly early: Behaviour | undefined
}

/** Reads requests from one connection and answers them in order. */
export class ServedSocket {
  readonly record: EngineSocket
  /** Resolves when the socket is closed and nothing plays on it any more. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #host: SocketHost
  readonly #gone = new AbortController()
  readonly #unfinished = new Set<EngineRequest>()
  #reading: Exchange | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(socket: Socket, id: number, host: SocketHost) {
    this.record = { id, openedAt: performance.now(), requests: 0 }
    this.#socket = socket
    this.#host = host
    const parser = new RequestParser({ onHead: head => this.#onHead(head), onBody: body => this.#onBody(body) })
    socket.setNoDelay(true)
    socket.on('data', bytes => {
      if (!this.#gone.signal.aborted) this.#read(parser, bytes)
    })
    // A model server takes the end of the request side for a disconnect, as ASGI servers do.
    socket.on('end', () => {
      this.#leave('peer')
      socket.destroy()
    })
    // A reset by the peer; Node destroys the socket by itself.
    socket.on('error', () => this.#leave('peer'))
    this.closed = new Promise<void>(resolve => {
      socket.on('close', () => {
        this.#leave('peer')
        resolve(this.#turn)
      })
    })
  }

  /**
   * Ends the connection from the engine's side and stops what plays on it. What was written so far is with the kernel,
   * which sends it before a FIN, but not before an RST.
   */
  drop(how: 'close' | 'reset'): void {
    this.#leave('engine')
    if (how === 'reset') this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  #read(parser: RequestParser, bytes: Buffer): void {
    try {
      parser.push(bytes)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#host.reportProtocolError(error.message)
      this.#leave('engine')
      this.#socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      this.#socket.destroySoon()
    }
  }

  #onHead(head: RequestHead): void {
    const place = { socketId: this.record.id, reusedSocket: this.record.requests > 0 }
    this.record.requests += 1
    const request = this.#host.record(index => newRequest(head, { ...place, index }))
    this.#unfinished.add(request)
    const early = this.#host.chooseEarly(request)
    this.#reading = { request, early }
    if (early !== undefined) this.#enqueue(request, () => early)
    else if (head.headers['expect']?.toLowerCase() === '100-continue') {
      this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    }
  }

  #onBody(body: Buffer): void {
    if (this.#reading === undefined) return
    const { request, early } = this.#reading
    this.#reading = undefined
    request.rawBody = body
    request.body = parseObject(body)
    request.bodyComplete = true
    if (early === undefined) this.#enqueue(request, () => this.#host.choose(request))
  }

  #enqueue(request: EngineRequest, choose: () => Behaviour): void {
    this.#turn = this.#turn.then(() => this.#answer(request, choose))
  }

  async #answer(request: EngineRequest, choose: () => Behaviour): Promise<void> {
    const gone = this.#gone.signal
    if (gone.aborted) return
    try {
      const played = await playSteps(choose()(request), { socket: this.#socket, request, gone })
      if (played === undefined || gone.aborted) return
      const { how, onPurpose } = played
      if (!onPurpose) this.#finish(request, 'complete')
      else this.#finish(request, how === 'reset' ? 'reset' : 'closed')
      if (how !== 'keep-alive') this.drop(how === 'reset' ? 'reset' : 'close')
    } catch (error) {
      this.#host.reportBehaviourError(error)
      this.drop('reset')
    }
  }

  #leave(by: 'peer' | 'engine'): void {
    if (this.record.closedAt !== undefined) return
    this.record.closedAt = performance.now()
    this.record.closedBy = by
    for (const request of this.#unfinished) this.#finish(request, by === 'peer' ? 'peer-closed' : 'engine-stopped')
    this.#gone.abort()
  }

  #finish(request: EngineRequest, ending: ExchangeEnding): void {
    if (!this.#unfinished.delete(request)) return
    request.ending = ending
    request.endedAt = performance.now()
    if (ending === 'peer-closed') request.closedByPeerAt = request.endedAt
  }
}

function newRequest(
  head: RequestHead,
  place: Pick<EngineRequest, 'index' | 'socketId' | 'reusedSocket'>,
): EngineRequest {
  return {
    ...place,
    ...head,
    receivedAt: performance.now(),
    rawBody: Buffer.alloc(0),
    body: undefined,
    bodyComplete: false,
    bytesWritten: 0,
    chunksWritten: 0,
    tokensGenerated: 0,
  }
}

function parseObject(body: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
