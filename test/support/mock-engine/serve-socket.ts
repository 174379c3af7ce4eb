import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { EngineRequest, EngineSocket, JsonObject } from './engine-request.ts'
import { createRequestParser, ProtocolError, type RequestHead } from './parse-request.ts'
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

export interface ServedSocket {
  readonly record: EngineSocket
  /** Ends the connection from the engine's side and stops what plays on it. */
  drop(how: 'close' | 'reset'): void
  /** Resolves when the socket is closed and nothing plays on it any more. */
  readonly closed: Promise<void>
}

interface Exchange {
  readonly request: EngineRequest
  readonly expectsContinue: boolean
  early: Behaviour | undefined
}

/** Reads requests from one connection and answers them in order. */
export function serveSocket(socket: Socket, id: number, host: SocketHost): ServedSocket {
  const record: EngineSocket = { id, openedAt: performance.now(), requests: 0 }
  const gone = new AbortController()
  const unfinished = new Set<EngineRequest>()
  let reading: Exchange | undefined
  let turn: Promise<void> = Promise.resolve()

  function finish(request: EngineRequest, ending: EngineRequest['ending'] & string): void {
    if (!unfinished.delete(request)) return
    request.ending = ending
    request.endedAt = performance.now()
    if (ending === 'peer-closed') request.closedByPeerAt = request.endedAt
  }

  function leave(by: 'peer' | 'engine'): void {
    if (record.closedAt !== undefined) return
    record.closedAt = performance.now()
    record.closedBy = by
    for (const request of [...unfinished]) finish(request, by === 'peer' ? 'peer-closed' : 'engine-stopped')
    gone.abort()
  }

  /** Everything written so far is with the kernel, which sends it before the FIN, but not before an RST. */
  function hangUp(how: 'close' | 'reset'): void {
    leave('engine')
    if (how === 'reset') socket.resetAndDestroy()
    else socket.destroy()
  }

  async function answer(request: EngineRequest, choose: () => Behaviour): Promise<void> {
    if (gone.signal.aborted) return
    try {
      const played = await playSteps(choose()(request), { socket, request, gone: gone.signal })
      if (played === undefined || gone.signal.aborted) return
      const { how, onPurpose } = played
      if (!onPurpose) finish(request, 'complete')
      else finish(request, how === 'reset' ? 'reset' : 'closed')
      if (how !== 'keep-alive') hangUp(how === 'reset' ? 'reset' : 'close')
    } catch (error) {
      host.reportBehaviourError(error)
      hangUp('reset')
    }
  }

  function enqueue(request: EngineRequest, choose: () => Behaviour): void {
    turn = turn.then(() => answer(request, choose))
  }

  const parser = createRequestParser({
    onHead(head) {
      const reusedSocket = record.requests > 0
      record.requests += 1
      const request = host.record(index => newRequest(head, { index, socketId: id, reusedSocket }))
      unfinished.add(request)
      const early = host.chooseEarly(request)
      reading = { request, early, expectsContinue: head.headers['expect']?.toLowerCase() === '100-continue' }
      if (early !== undefined) enqueue(request, () => early)
      else if (reading.expectsContinue) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    },
    onBody(body) {
      if (reading === undefined) return
      const { request, early } = reading
      reading = undefined
      request.rawBody = body
      request.body = parseObject(body)
      request.bodyComplete = true
      if (early === undefined) enqueue(request, () => host.choose(request))
    },
  })

  socket.setNoDelay(true)
  socket.on('data', bytes => {
    if (gone.signal.aborted) return
    try {
      parser.push(bytes)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      host.reportProtocolError(error.message)
      leave('engine')
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      socket.destroySoon()
    }
  })
  // A model server takes the end of the request side for a disconnect, as ASGI servers do.
  socket.on('end', () => {
    leave('peer')
    socket.destroy()
  })
  // A reset by the peer; Node destroys the socket by itself.
  socket.on('error', () => leave('peer'))
  const closed = new Promise<void>(resolve => {
    socket.on('close', () => {
      leave('peer')
      resolve(turn)
    })
  })
  return { record, drop: hangUp, closed }
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
