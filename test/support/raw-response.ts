export interface RawResponse {
  readonly status: number
  readonly reason: string
  /** Lower-case names; repeated fields are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly rawHeaders: readonly (readonly [string, string])[]
  /** Without its transfer coding; as much of it as came. */
  readonly body: Buffer
  readonly text: string
  readonly trailers: string
  /** False when the connection ended, or has not gone on, before the end that the head announced. */
  readonly complete: boolean
  /** Bytes behind the response that are no response. Only on the last one. */
  readonly rest: Buffer
}

interface Body {
  readonly body: Buffer
  readonly trailers: string
  readonly complete: boolean
  /** Index behind the body. */
  readonly next: number
}

/**
 * Cuts what a server sent into its responses, informational ones too. A body without length or chunks ends where the
 * connection does. Knows nothing of HEAD requests.
 */
export function parseRawResponses(bytes: Buffer, ended: boolean): RawResponse[] {
  const responses: RawResponse[] = []
  let start = 0
  while (start < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', start)
    const [statusLine = '', ...lines] = bytes.toString('latin1', start, Math.max(headEnd, start)).split('\r\n')
    const match = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(statusLine)
    if (match === null) break
    const rawHeaders = lines.map(splitHeader)
    const headers = joinHeaders(rawHeaders)
    const status = Number(match[1])
    const read = readBody(bytes, headEnd + 4, { status, headers, ended })
    start = read.next
    const { body, trailers, complete } = read
    const text = body.toString()
    responses.push({
      status,
      reason: match[2] ?? '',
      headers,
      rawHeaders,
      body,
      text,
      trailers,
      complete,
      rest: NOTHING,
    })
  }
  const last = responses.pop()
  return last === undefined ? [] : [...responses, { ...last, rest: bytes.subarray(start) }]
}

const NOTHING = Buffer.alloc(0)

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

function joinHeaders(rawHeaders: readonly (readonly [string, string])[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return headers
}

function readBody(
  bytes: Buffer,
  start: number,
  response: { status: number; headers: Record<string, string>; ended: boolean },
): Body {
  const { status, headers, ended } = response
  if (status < 200 || status === 204 || status === 304) {
    return { body: NOTHING, trailers: '', complete: true, next: start }
  }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start)
  const length = headers['content-length']
  if (length === undefined) return { body: bytes.subarray(start), trailers: '', complete: ended, next: bytes.length }
  const next = Math.min(bytes.length, start + Number(length))
  return { body: bytes.subarray(start, next), trailers: '', complete: next === start + Number(length), next }
}

function readChunks(bytes: Buffer, start: number): Body {
  const pieces: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) break
    if (size === 0) {
      const trailersEnd = bytes.indexOf('\r\n\r\n', lineEnd)
      if (trailersEnd < 0) break
      const trailers = bytes.toString('latin1', lineEnd + 2, trailersEnd)
      return { body: Buffer.concat(pieces), trailers, complete: true, next: trailersEnd + 4 }
    }
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
    if (at > bytes.length) break
  }
  return { body: Buffer.concat(pieces), trailers: '', complete: false, next: bytes.length }
}
