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
  line(bytes: Buffer, from: number, end: number): 'event_too_long' | 'too_many_lines' | null {
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
