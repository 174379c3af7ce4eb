import { connect, type Socket } from 'node:net'
import { type BodyCheckOptions, createBodyCheck } from './body-check.ts'
import { createHttpReader } from './http-reader.ts'

/** Where the load goes. */
export interface LoadTarget {
  host: string
  port: number
  path: string
  /** Value of the `authorization` header; empty: none is sent. */
  authorization: string
}

export interface LoadConnectionEvents {
  /** The connection is open, or its last answer is complete: it can take the next request. */
  onIdle(connection: LoadConnection): void
  /** The head of an answer has come, `milliseconds` after its request. */
  onFirstByte(milliseconds: number): void
  /** Events of one stream that came together, `gap` milliseconds after its last; only where events are counted. */
  onEvents(count: number, gap: number): void
  /** A complete answer, `milliseconds` after its request. */
  onAnswer(milliseconds: number, isChecked: boolean): void
  /** The answer was refused, wrong or cut; the connection is opened anew. */
  onFault(reason: string): void
}

export interface LoadConnectionOptions extends BodyCheckOptions {
  target: LoadTarget
  /** The whole HTTP request, written as it is for each call. */
  request: Buffer
}

export interface LoadConnection {
  /** @param startedAt the moment the caller wanted the request to go out, in `performance.now()` milliseconds */
  send(startedAt: number): void
  /** Connected, with no request in flight. */
  isReady(): boolean
  /** Start of the request in flight, null when there is none. */
  inFlightSince(): number | null
  destroy(): void
}

/** One buffer serves every connection: its bytes are used up before the next read. */
const readBuffer = Buffer.allocUnsafe(65_536)
const reconnectDelayMs = 50

/** A keep-alive connection over a raw socket, one request at a time. */
export function createLoadConnection(options: LoadConnectionOptions, events: LoadConnectionEvents): LoadConnection {
  let eventsAt = 0
  const body = createBodyCheck(options, count => {
    const now = performance.now()
    events.onEvents(count, now - eventsAt)
    eventsAt = now
  })
  let socket: Socket
  let startedAt: number | null = null
  let isConnected = false
  let isClosing = false
  let isDestroyed = false

  const openReader = () =>
    createHttpReader({
      onHead(head) {
        if (startedAt === null) throw new Error('an answer came without a request')
        eventsAt = performance.now()
        events.onFirstByte(eventsAt - startedAt)
        isClosing = /\r\nconnection:[ \t]*close/i.test(head)
        body.begin(head)
      },
      onBody: body.add,
      onEnd() {
        const isChecked = body.finish()
        const milliseconds = performance.now() - (startedAt ?? eventsAt)
        startedAt = null
        events.onAnswer(milliseconds, isChecked)
        if (!isClosing) events.onIdle(connection)
      },
    })

  /** A connection that the server closes between two requests is no fault: it is opened anew. */
  const fail = (reason: string, isFault = startedAt !== null) => {
    startedAt = null
    socket.destroy()
    if (!isDestroyed && isFault) events.onFault(reason)
  }

  const open = () => {
    if (isDestroyed) return
    const reader = openReader()
    socket = connect({
      host: options.target.host,
      port: options.target.port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: count => {
          try {
            reader.feed(readBuffer.subarray(0, count))
            body.keepTail()
          } catch (error) {
            fail(error instanceof Error ? error.message : String(error), true)
          }
          return true
        },
      },
    })
    socket.on('connect', () => {
      isConnected = true
      events.onIdle(connection)
    })
    socket.on('error', error => fail(error.message, !isConnected || startedAt !== null))
    socket.on('close', () => {
      isConnected = false
      fail('the connection was closed before the answer was complete')
      setTimeout(open, reconnectDelayMs).unref()
    })
  }

  const connection: LoadConnection = {
    send(at) {
      startedAt = at
      socket.write(options.request)
    },
    isReady: () => isConnected && startedAt === null,
    inFlightSince: () => startedAt,
    destroy() {
      isDestroyed = true
      socket.destroy()
    },
  }
  open()
  return connection
}
