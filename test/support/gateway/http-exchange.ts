import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { AnswerJson } from './answer-json.ts'

export interface HttpCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  /** Aborting destroys the connection. */
  readonly signal?: AbortSignal
  /** Default: a connection of its own, never reused. */
  readonly agent?: Agent
  /** The whole exchange must be over in this time. Default 40,000. */
  readonly withinMs?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** Throws when the body is no JSON. */
  readonly json: AnswerJson
}

/** One request. Rejects when no complete answer comes. */
export function exchange(url: string, call: HttpCall = {}): Promise<HttpAnswer> {
  const { method = 'GET', headers = {}, body, signal, agent = false, withinMs = 40_000 } = call
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, {
      method,
      agent,
      headers: { ...lengthOf(body, headers), ...(headers as Record<string, string | string[]>) },
      timeout: withinMs,
      ...(signal === undefined ? {} : { signal }),
    })
    clientRequest.on('timeout', () => clientRequest.destroy(new Error(`no end within ${withinMs} ms`)))
    clientRequest.on('error', reject)
    clientRequest.on('response', response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('close', () => {
        if (!response.complete) return reject(new Error('the answer broke off'))
        resolve(createAnswer(response.statusCode ?? 0, response.headers, Buffer.concat(pieces)))
      })
    })
    clientRequest.end(body)
  })
}

/** Written out, because Node sends the body of some methods without saying how long it is. */
function lengthOf(
  body: string | Buffer | undefined,
  headers: NonNullable<HttpCall['headers']>,
): Record<string, string> {
  if (body === undefined || 'transfer-encoding' in headers) return {}
  return { 'content-length': String(Buffer.byteLength(body)) }
}

function createAnswer(status: number, headers: IncomingHttpHeaders, bytes: Buffer): HttpAnswer {
  return {
    status,
    headers,
    bytes,
    get text() {
      return bytes.toString()
    },
    get json() {
      return JSON.parse(bytes.toString()) as AnswerJson
    },
  }
}
