/** What an event is made of may not grow without end. */
export interface SseEventBounds {
  /** Bytes of all lines of one event, ignored fields and comments inside it included. */
  readonly eventBytesMax: number
  /** Lines of one event, empty `data:` lines, ignored fields and comments inside it included. */
  readonly linesPerEventMax: number
}

export interface SseLineHandlers {
  readonly onData: (data: Buffer) => void
  readonly onComment?: ((text: Buffer) => void) | undefined
}

const colon = 0x3a
const space = 0x20
const dataField = Buffer.from('data')
const lineFeed = Buffer.from('\n')
const empty = Buffer.alloc(0)

/** Why an event is given up. `no_field`: a line that is nothing of what such a stream is made of. */
export type SseEventFault = 'event_too_long' | 'too_many_lines' | 'no_field'

/** Makes events out of whole lines. Comments before an event belong to none and are not counted. */
export class SseEventBuilder {
  private readonly bounds: SseEventBounds
  private readonly handlers: SseLineHandlers
  private data: Buffer[] = []
  private bytes = 0
  private lines = 0

  constructor(bounds: SseEventBounds, handlers: SseLineHandlers) {
    this.bounds = bounds
    this.handlers = handlers
  }

  /** No line of an event is waiting for its end. */
  get idle(): boolean {
    return this.lines === 0
  }

  /** Takes the line `bytes[from, end)`, its line end left out. */
  line(bytes: Buffer, from: number, end: number): SseEventFault | null {
    if (end === from) {
      this.dispatch()
      return null
    }
    const isComment = bytes[from] === colon
    if (!isComment || !this.idle) {
      this.lines++
      this.bytes += end - from
      if (this.lines > this.bounds.linesPerEventMax) return 'too_many_lines'
      if (this.bytes > this.bounds.eventBytesMax) return 'event_too_long'
    }
    if (isComment) this.handlers.onComment?.(bytes.subarray(from + 1, end))
    else if (!isField(bytes, from, end)) return 'no_field'
    else this.field(bytes, from, end)
    return null
  }

  /** The empty line: hands the event out, unless its data is empty, and begins the next. */
  dispatch(): void {
    const [first, ...more] = this.data
    this.data = []
    this.bytes = 0
    this.lines = 0
    if (first === undefined) return
    const data = more.length === 0 ? first : Buffer.concat([first, ...more.flatMap(line => [lineFeed, line])])
    if (data.length > 0) this.handlers.onData(data)
  }

  private field(bytes: Buffer, from: number, end: number): void {
    for (let index = 0; index < dataField.length; index++) {
      if (bytes[from + index] !== dataField[index]) return
    }
    let at = from + dataField.length
    if (at === end) this.data.push(empty)
    else if (bytes[at] === colon) {
      at++
      if (at < end && bytes[at] === space) at++
      this.data.push(bytes.subarray(at, end))
    }
  }
}

/**
 * Whether the line begins with a name. The rules of SSE skip every line that they do not know; bytes that are no line of
 * a stream at all would be skipped with it, and what they ran into, so that an answer would lack a part unnoticed.
 */
function isField(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === colon) return at > from
    if (!isNameByte(byte)) return false
  }
  return true
}

/** Letters, digits, `-` and `_`. */
function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x5f
  )
}
