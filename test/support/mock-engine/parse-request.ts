import type { HeaderList } from './step.ts'

export interface RequestHead {
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly rawHeaders: HeaderList
  readonly headers: Readonly<Record<string, string>>
}

export interface RequestHandlers {
  onHead(head: RequestHead): void
  onBody(body: Buffer): void
}

/** The peer broke HTTP/1.1: the mock engine is strict, so that a desynchronised gateway is caught. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

const MAX_HEAD_BYTES = 64 * 1024
const MAX_BODY_BYTES = 64 * 1024 * 1024
const MAX_CHUNK_LINE_BYTES = 1024

type State =
  | { at: 'head' }
  | { at: 'sized'; left: number }
  | { at: 'chunk-size' }
  | { at: 'chunk-data'; left: number }
  | { at: 'chunk-end' }
  | { at: 'trailers' }

/**
 * Cuts the bytes of one connection into requests, pipelined ones too.
 * `push` throws ProtocolError at the first violation; the parser must not be used afterwards.
 */
export function createRequestParser(handlers: RequestHandlers): { push(bytes: Buffer): void } {
  let buffer: Buffer = Buffer.alloc(0)
  let state: State = { at: 'head' }
  let pieces: Buffer[] = []
  let bodyBytes = 0

  function takeLine(limit: number): string | undefined {
    const index = buffer.indexOf('\r\n')
    if (index > limit || (index < 0 && buffer.length > limit)) throw new ProtocolError('a line is too long')
    if (index < 0) return undefined
    const line = buffer.toString('latin1', 0, index)
    buffer = buffer.subarray(index + 2)
    return line
  }

  function takeBody(count: number): number {
    const piece = buffer.subarray(0, count)
    bodyBytes += piece.length
    if (bodyBytes > MAX_BODY_BYTES) throw new ProtocolError('the body is too large')
    // A copy: sub-arrays would keep whole socket reads alive.
    if (piece.length > 0) pieces.push(Buffer.from(piece))
    buffer = buffer.subarray(piece.length)
    return count - piece.length
  }

  function finish(): State {
    const body = Buffer.concat(pieces)
    pieces = []
    bodyBytes = 0
    handlers.onBody(body)
    return { at: 'head' }
  }

  function readHead(): State | undefined {
    // At once, as servers do: a TLS handshake would otherwise wait for an answer.
    if (!/[A-Z]/.test(String.fromCharCode(buffer[0] ?? 0))) throw new ProtocolError('no request line')
    const index = buffer.indexOf('\r\n\r\n')
    if (index > MAX_HEAD_BYTES || (index < 0 && buffer.length > MAX_HEAD_BYTES)) {
      throw new ProtocolError('the head is too large')
    }
    if (index < 0) return undefined
    const head = parseHead(buffer.toString('latin1', 0, index))
    buffer = buffer.subarray(index + 4)
    const framing = bodyFraming(head)
    handlers.onHead(head)
    if (framing === 'chunked') return { at: 'chunk-size' }
    return framing === 0 ? finish() : { at: 'sized', left: framing }
  }

  /** The next state, or undefined when more bytes are needed. */
  function advance(): State | undefined {
    switch (state.at) {
      case 'head':
        return buffer.length === 0 ? undefined : readHead()
      case 'sized': {
        if (buffer.length === 0) return undefined
        const left = takeBody(state.left)
        return left === 0 ? finish() : { at: 'sized', left }
      }
      case 'chunk-size': {
        const line = takeLine(MAX_CHUNK_LINE_BYTES)
        if (line === undefined) return undefined
        if (!/^[0-9a-f]{1,8}$/i.test(line)) throw new ProtocolError(`bad chunk size ${JSON.stringify(line)}`)
        const size = Number.parseInt(line, 16)
        return size === 0 ? { at: 'trailers' } : { at: 'chunk-data', left: size }
      }
      case 'chunk-data': {
        if (buffer.length === 0) return undefined
        const left = takeBody(state.left)
        return left === 0 ? { at: 'chunk-end' } : { at: 'chunk-data', left }
      }
      case 'chunk-end': {
        const line = takeLine(MAX_CHUNK_LINE_BYTES)
        if (line === undefined) return undefined
        if (line !== '') throw new ProtocolError('bytes after a chunk')
        return { at: 'chunk-size' }
      }
      case 'trailers': {
        const line = takeLine(MAX_CHUNK_LINE_BYTES)
        if (line === undefined) return undefined
        return line === '' ? finish() : state
      }
    }
  }

  return {
    push(bytes) {
      buffer = buffer.length === 0 ? bytes : Buffer.concat([buffer, bytes])
      for (let next = advance(); next !== undefined; next = advance()) state = next
    },
  }
}

function parseHead(text: string): RequestHead {
  const [requestLine = '', ...lines] = text.split('\r\n')
  const match = /^([A-Z]+) (\S+) HTTP\/(1\.[01])$/.exec(requestLine)
  if (match === null) throw new ProtocolError(`bad request line ${JSON.stringify(requestLine.slice(0, 200))}`)
  const [, method = '', path = '', httpVersion = ''] = match
  const rawHeaders = lines.map(parseHeaderLine)
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return { method, path, httpVersion, rawHeaders, headers }
}

function parseHeaderLine(line: string): readonly [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(line)
  if (match === null) throw new ProtocolError(`bad header line ${JSON.stringify(line.slice(0, 200))}`)
  return [match[1] ?? '', match[2] ?? '']
}

/** The length of the body, or `chunked`; anything that two readers could read differently is a violation. */
function bodyFraming({ headers }: RequestHead): number | 'chunked' {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (length !== undefined) throw new ProtocolError('both Content-Length and Transfer-Encoding')
    if (coding.toLowerCase() !== 'chunked') throw new ProtocolError(`unknown transfer coding ${JSON.stringify(coding)}`)
    return 'chunked'
  }
  if (length === undefined) return 0
  if (!/^\d{1,15}$/.test(length)) throw new ProtocolError(`bad Content-Length ${JSON.stringify(length)}`)
  return Number(length)
}
