import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { createStrictSseParser, type SseEvent } from './strict-sse.ts'

/** More than this is cut off, as a broken connection. */
const MAX_RAW_BYTES = 512 * 1024 * 1024

export interface SseRequest {
  readonly url: string
  /** Default POST. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string
  /** The whole exchange must be over in this time. Default 20,000. */
  readonly withinMs?: number
}

/** How the response body ended: completely, by our `abort`, by `withinMs`, or by a broken connection. */
export type SseEnd = 'complete' | 'aborted' | 'timed-out' | 'broken'

/** A response being read. Fields fill in while it runs. Times are `performance.now()` in milliseconds. */
export interface SseReading {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly events: readonly SseEvent[]
  readonly comments: readonly string[]
  /** How often `data: [DONE]` came. It is also in `events`. */
  readonly doneCount: number
  /** What a well-formed stream of this API never does: see `createStrictSseParser`. */
  readonly violations: readonly string[]
  readonly raw: Buffer
  /** `raw` as text; meant for answers that are not SSE. */
  readonly text: string
  readonly headersAt: number
  readonly endedAt: number | undefined
  /** Resolves when the body ended, in whatever way; never rejects. */
  readonly ended: Promise<SseEnd>
  /** Resolves when this many events came; rejects when the body ended before. */
  receive(count: number): Promise<void>
  /** Stops reading from the socket, as a slow reader does. */
  pause(): void
  resume(): void
  /** Destroys the connection. */
  abort(): void
}

/** The JSON of every event but `[DONE]`. */
export function jsonEvents(reading: SseReading): Record<string, unknown>[] {
  return reading.events.filter(event => event.data !== '[DONE]').map(event => JSON.parse(event.data))
}

/** Reads to the end. */
export async function readSse(options: SseRequest): Promise<SseReading & { readonly end: SseEnd }> {
  const reading = await openSse(options)
  const end = await reading.ended
  return Object.assign(reading, { end })
}

/** Resolves when the response head is there. Rejects when none comes. One connection of its own, never reused. */
export async function openSse(options: SseRequest): Promise<SseReading> {
  const { url, method = 'POST', headers = {}, body, withinMs = 20_000 } = options
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const clientRequest = request(url, {
    method,
    agent: false,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  })
  const deadline = AbortSignal.timeout(withinMs)
  const expire = () => clientRequest.destroy(new Error(`no end within ${withinMs} ms`))
  deadline.addEventListener('abort', expire)
  clientRequest.once('close', () => deadline.removeEventListener('abort', expire))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    clientRequest.once('response', resolve)
    clientRequest.on('error', reject)
    clientRequest.end(text)
  })
  return follow(clientRequest, response, deadline)
}

function follow(clientRequest: ClientRequest, response: IncomingMessage, deadline: AbortSignal): SseReading {
  const headersAt = performance.now()
  const parser = createStrictSseParser()
  const pieces: Buffer[] = []
  let rawBytes = 0
  let endedAt: number | undefined
  let aborted = false
  let wake: () => void = () => undefined

  const ended = new Promise<SseEnd>(resolve => {
    response.on('data', (bytes: Buffer) => {
      pieces.push(bytes)
      rawBytes += bytes.length
      if (rawBytes > MAX_RAW_BYTES) clientRequest.destroy()
      parser.push(bytes, performance.now())
      wake()
    })
    // `close` follows it and tells a broken connection from a complete body.
    response.on('error', () => wake())
    response.on('close', () => {
      endedAt = performance.now()
      if (response.complete) parser.finish()
      if (response.complete) resolve('complete')
      else if (aborted) resolve('aborted')
      else resolve(deadline.aborted ? 'timed-out' : 'broken')
      wake()
    })
  })

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: parser.events,
    comments: parser.comments,
    violations: parser.violations,
    get doneCount() {
      return parser.events.filter(event => event.data === '[DONE]').length
    },
    get raw() {
      return Buffer.concat(pieces)
    },
    get text() {
      return Buffer.concat(pieces).toString()
    },
    headersAt,
    get endedAt() {
      return endedAt
    },
    ended,
    async receive(count) {
      while (parser.events.length < count) {
        if (endedAt !== undefined) throw new Error(`the body ended after ${parser.events.length} of ${count} events`)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    pause: () => response.pause(),
    resume: () => response.resume(),
    abort() {
      aborted = true
      clientRequest.destroy()
    },
  }
}
