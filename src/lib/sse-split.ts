import { type SseEventBounds, SseEventBuilder, type SseEventFault } from './sse-event.ts'
import { SsePartialLine } from './sse-partial-line.ts'

/** Why a stream of events is given up. */
type SseFault = 'line_too_long' | SseEventFault

export interface SseBounds extends SseEventBounds {
  /** Bytes of one line without its end. */
  readonly lineBytesMax: number
}

/** Room for any completion chunk that an engine sends; what exceeds it is a fault of the engine. */
export const sseBounds: SseBounds = { lineBytesMax: 1_048_576, eventBytesMax: 4_194_304, linesPerEventMax: 1_000 }

export interface SseHandlers {
  /**
   * The data of one event, several data lines joined by a line feed. Mostly a view of the pushed chunk, so whoever
   * pushes must not write to a chunk afterwards. `plain` says that the event is one data line in the usual spelling,
   * inside the chunk being pushed: exactly `data: ` stands before the view and two line feeds stand after it.
   */
  readonly onEvent: (data: Buffer, plain: boolean) => void
  /** At most once; nothing is delivered after it. */
  readonly onFault: (fault: SseFault) => void
  /** The text of a comment line after its colon. */
  readonly onComment?: ((text: Buffer) => void) | undefined
}

export interface SseSplitter {
  /** Takes the next bytes and delivers every event that they complete, before it returns. */
  push(chunk: Buffer): void
  /** The stream is over: a last line or event that lacks its end is delivered. */
  end(): void
}

/**
 * Cuts a byte stream into server-sent events, whatever its chunks are: lines may end in LF, CR or CRLF, a byte order mark
 * may lead; comments, fields other than `data` and events whose data is empty are ignored, and a line that is no field ends
 * it all. Every byte is searched once; a
 * line that goes on over chunks is collected, everything else is views. Bounds are at least 1; handlers must not throw.
 */
export function createSseSplitter(options: SseBounds & SseHandlers): SseSplitter {
  return new LineSplitter(options)
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const usualPrefix = Buffer.from('data: ')

class LineSplitter implements SseSplitter {
  private readonly options: SseBounds & SseHandlers
  private readonly event: SseEventBuilder
  private readonly usualBytesMax: number
  private readonly partial = new SsePartialLine()
  private firstLine = true
  /** The last chunk ended in CR: a LF that begins the next chunk belongs to it. */
  private lineFeedBelongsToLast = false
  private over = false

  constructor(options: SseBounds & SseHandlers) {
    this.options = options
    this.usualBytesMax = Math.min(options.lineBytesMax, options.eventBytesMax)
    this.event = new SseEventBuilder(options, {
      onData: data => options.onEvent(data, false),
      onComment: options.onComment,
    })
  }

  push(chunk: Buffer): void {
    if (this.over || chunk.length === 0) return
    let at = this.lineFeedBelongsToLast && chunk[0] === lineFeed ? 1 : 0
    this.lineFeedBelongsToLast = false
    let nextLineFeed = -1
    let nextCarriageReturn = -1
    while (!this.over) {
      // Each search begins where the last hit was passed, so both together see each byte once.
      if (nextLineFeed < at) nextLineFeed = find(chunk, lineFeed, at)
      if (nextCarriageReturn < at) nextCarriageReturn = find(chunk, carriageReturn, at)
      const lineEnd = Math.min(nextLineFeed, nextCarriageReturn)
      if (lineEnd === chunk.length) break
      if (lineEnd === nextLineFeed && this.takeUsual(chunk, at, lineEnd)) {
        at = lineEnd + 2
        continue
      }
      this.takeLine(chunk, at, lineEnd)
      at = lineEnd + 1
      if (lineEnd !== nextCarriageReturn) continue
      if (at === chunk.length) this.lineFeedBelongsToLast = true
      else if (chunk[at] === lineFeed) at++
    }
    if (!this.over && at < chunk.length) this.keepPartial(chunk, at)
  }

  end(): void {
    if (this.over) return
    const line = this.partial.take()
    if (line.length > 0) this.takeWholeLine(line, 0, line.length)
    if (!this.over) this.event.dispatch()
    this.over = true
  }

  /** Takes `data: …` and the two line feeds after it in one step; false, and nothing taken, when that is not here. */
  private takeUsual(chunk: Buffer, from: number, lineEnd: number): boolean {
    const dataStart = from + usualPrefix.length
    if (chunk[lineEnd + 1] !== lineFeed || lineEnd <= dataStart || lineEnd - from > this.usualBytesMax) return false
    if (this.partial.length > 0 || !this.event.idle) return false
    for (let index = 0; index < usualPrefix.length; index++) {
      if (chunk[from + index] !== usualPrefix[index]) return false
    }
    this.firstLine = false
    this.options.onEvent(chunk.subarray(dataStart, lineEnd), true)
    return true
  }

  private takeLine(chunk: Buffer, from: number, end: number): void {
    if (this.partial.length + end - from > this.options.lineBytesMax) this.giveUp('line_too_long')
    else if (this.partial.length === 0) this.takeWholeLine(chunk, from, end)
    else {
      this.partial.append(chunk, from, end)
      const line = this.partial.take()
      this.takeWholeLine(line, 0, line.length)
    }
  }

  private takeWholeLine(bytes: Buffer, from: number, end: number): void {
    const marked =
      this.firstLine && bytes.subarray(from, Math.min(end, from + byteOrderMark.length)).equals(byteOrderMark)
    this.firstLine = false
    const fault = this.event.line(bytes, marked ? from + byteOrderMark.length : from, end)
    if (fault !== null) this.giveUp(fault)
  }

  private keepPartial(chunk: Buffer, from: number): void {
    if (this.partial.length + chunk.length - from > this.options.lineBytesMax) this.giveUp('line_too_long')
    else this.partial.append(chunk, from, chunk.length)
  }

  private giveUp(fault: SseFault): void {
    this.over = true
    this.partial.take()
    this.options.onFault(fault)
  }
}

/** The next such byte, the chunk's length when there is none. */
function find(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from)
  return at < 0 ? chunk.length : at
}
