/** What a reader reports, in the order in which the bytes arrive. */
export interface HttpReaderEvents {
  /** Start line and header lines of one message, without the empty line. */
  onHead(head: string): void
  /** A piece of the body, transfer coding removed. The bytes are only valid during the call. */
  onBody(bytes: Buffer, start: number, end: number): void
  onEnd(): void
}

export interface HttpReader {
  /**
   * Takes the next bytes of the connection, cut anywhere.
   * @throws Error when the framing is broken or a head is longer than 64 KiB
   */
  feed(bytes: Buffer): void
  /** True between the head of a message and its end, and while a head is incomplete. */
  isInsideMessage(): boolean
}

type State = 'head' | 'sized' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer'

const maxHeadBytes = 65_536
const maxLineBytes = 1_024
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const notEnoughBytes = -1

/**
 * Reads HTTP/1.1 messages with a Content-Length or a chunked body off a keep-alive connection. It serves both ends of
 * the bench, where a complete parser would cost more than the proxy that is being measured. A message that announces
 * neither has no body.
 */
export function createHttpReader(events: HttpReaderEvents): HttpReader {
  let state: State = 'head'
  let remaining = 0
  let pending: Buffer | null = null

  const readHead = (bytes: Buffer, position: number): number => {
    const end = bytes.indexOf(headEnd, position)
    if (end < 0) {
      if (bytes.length - position > maxHeadBytes) throw new Error('the head is longer than 64 KiB')
      return notEnoughBytes
    }
    const head = bytes.toString('latin1', position, end)
    const length = contentLength(head)
    events.onHead(head)
    if (length === 0) events.onEnd()
    else if (length > 0) {
      state = 'sized'
      remaining = length
    } else state = 'chunk-size'
    return end + headEnd.length
  }

  const readChunkSize = (bytes: Buffer, position: number): number => {
    const end = bytes.indexOf(lineEnd, position)
    if (end < 0) return endOfLineMissing(bytes, position)
    remaining = hexadecimal(bytes, position, end)
    state = remaining === 0 ? 'trailer' : 'chunk-data'
    return end + lineEnd.length
  }

  const readData = (bytes: Buffer, position: number): number => {
    const end = Math.min(bytes.length, position + remaining)
    events.onBody(bytes, position, end)
    remaining -= end - position
    if (remaining > 0) return end
    if (state === 'chunk-data') {
      state = 'chunk-end'
      return end
    }
    state = 'head'
    events.onEnd()
    return end
  }

  const readChunkEnd = (bytes: Buffer, position: number): number => {
    if (bytes.length - position < lineEnd.length) return notEnoughBytes
    if (bytes[position] !== 13 || bytes[position + 1] !== 10) throw new Error('a chunk does not end where it said')
    state = 'chunk-size'
    return position + lineEnd.length
  }

  const readTrailer = (bytes: Buffer, position: number): number => {
    const end = bytes.indexOf(lineEnd, position)
    if (end < 0) return endOfLineMissing(bytes, position)
    if (end === position) {
      state = 'head'
      events.onEnd()
    }
    return end + lineEnd.length
  }

  const step = (bytes: Buffer, position: number): number => {
    switch (state) {
      case 'head':
        return readHead(bytes, position)
      case 'chunk-size':
        return readChunkSize(bytes, position)
      case 'chunk-end':
        return readChunkEnd(bytes, position)
      case 'trailer':
        return readTrailer(bytes, position)
      default:
        return readData(bytes, position)
    }
  }

  return {
    feed(bytes) {
      const input = pending === null ? bytes : Buffer.concat([pending, bytes])
      pending = null
      let position = 0
      while (position < input.length) {
        const next = step(input, position)
        if (next === notEnoughBytes) {
          pending = Buffer.from(input.subarray(position))
          return
        }
        position = next
      }
    },
    isInsideMessage: () => state !== 'head' || pending !== null,
  }
}

/** Bytes of the body that the head announces; 0 without a body, −1 when it is chunked. */
function contentLength(head: string): number {
  const sized = /\r\ncontent-length:[ \t]*(\d{1,12})/i.exec(head)
  if (sized !== null) return Number(sized[1])
  return /\r\ntransfer-encoding:[ \t]*chunked/i.test(head) ? -1 : 0
}

/** Reads a chunk's size; an extension after `;` is ignored. */
function hexadecimal(bytes: Buffer, start: number, end: number): number {
  let value = 0
  let position = start
  for (; position < end; position++) {
    const digit = hexadecimalDigit(bytes[position] ?? 0)
    if (digit < 0) break
    value = value * 16 + digit
  }
  const isDelimited = position === end || bytes[position] === 59 || bytes[position] === 32
  if (position === start || position - start > 8 || !isDelimited) throw new Error('a chunk has no readable size')
  return value
}

function hexadecimalDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

function endOfLineMissing(bytes: Buffer, position: number): number {
  if (bytes.length - position > maxLineBytes) throw new Error('a line of the chunked body is longer than 1 KiB')
  return notEnoughBytes
}
