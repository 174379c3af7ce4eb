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
/** A chunk size or a trailer. */
const MAX_LINE_BYTES = 1024

interface BodyState {
  readonly at: 'sized' | 'chunk-data'
  readonly left: number
}

type State = BodyState | { readonly at: 'head' | 'chunk-size' | 'chunk-end' | 'trailers' }

/** Cuts the bytes of one connection into requests, pipelined ones too. */
export class RequestParser {
  readonly #handlers: RequestHandlers
  #buffer: Buffer = Buffer.alloc(0)
  #state: State = { at: 'head' }
  #pieces: Buffer[] = []
  #bodyBytes = 0

  constructor(handlers: RequestHandlers) {
    this.#handlers = handlers
  }

  /** Throws ProtocolError at the first violation; the parser must not be used afterwards. */
  push(bytes: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes])
    for (let next = this.#advance(); next !== undefined; next = this.#advance()) this.#state = next
  }

  /** The next state, or undefined when more bytes are needed. */
  #advance(): State | undefined {
    const state = this.#state
    if (state.at === 'sized' || state.at === 'chunk-data') return this.#takeBody(state)
    if (state.at === 'head') return this.#buffer.length === 0 ? undefined : this.#takeHead()
    const line = this.#takeLine()
    if (line === undefined) return undefined
    if (state.at === 'chunk-size') return afterSizeLine(line)
    if (state.at === 'trailers') return line === '' ? this.#finish() : state
    if (line !== '') throw new ProtocolError('bytes after a chunk')
    return { at: 'chunk-size' }
  }

  #takeHead(): State | undefined {
    // At once, as servers do: a TLS handshake would otherwise wait for an answer.
    if (!/[A-Z]/.test(String.fromCharCode(this.#buffer[0] ?? 0))) throw new ProtocolError('no request line')
    const index = this.#buffer.indexOf('\r\n\r\n')
    if ((index < 0 ? this.#buffer.length : index) > MAX_HEAD_BYTES) throw new ProtocolError('the head is too large')
    if (index < 0) return undefined
    const head = parseHead(this.#buffer.toString('latin1', 0, index))
    this.#buffer = this.#buffer.subarray(index + 4)
    const framing = bodyFraming(head)
    this.#handlers.onHead(head)
    if (framing === 'chunked') return { at: 'chunk-size' }
    return framing === 0 ? this.#finish() : { at: 'sized', left: framing }
  }

  #takeLine(): string | undefined {
    const index = this.#buffer.indexOf('\r\n')
    if ((index < 0 ? this.#buffer.length : index) > MAX_LINE_BYTES) throw new ProtocolError('a line is too long')
    if (index < 0) return undefined
    const line = this.#buffer.toString('latin1', 0, index)
    this.#buffer = this.#buffer.subarray(index + 2)
    return line
  }

  #takeBody(state: BodyState): State | undefined {
    if (this.#buffer.length === 0) return undefined
    const piece = this.#buffer.subarray(0, state.left)
    this.#bodyBytes += piece.length
    if (this.#bodyBytes > MAX_BODY_BYTES) throw new ProtocolError('the body is too large')
    // A copy: sub-arrays would keep whole socket reads alive.
    this.#pieces.push(Buffer.from(piece))
    this.#buffer = this.#buffer.subarray(piece.length)
    const left = state.left - piece.length
    if (left > 0) return { at: state.at, left }
    return state.at === 'sized' ? this.#finish() : { at: 'chunk-end' }
  }

  #finish(): State {
    const body = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#bodyBytes = 0
    this.#handlers.onBody(body)
    return { at: 'head' }
  }
}

function afterSizeLine(line: string): State {
  if (!/^[0-9a-f]{1,8}$/i.test(line)) throw new ProtocolError(`bad chunk size ${JSON.stringify(line)}`)
  const left = Number.parseInt(line, 16)
  return left === 0 ? { at: 'trailers' } : { at: 'chunk-data', left }
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
