import { type ByteSink, type ByteStream, EngineFault } from '../../domain/engines/types.ts'
import { type CompletionScan, scanCompletionJson } from '../../lib/chunk-scan.ts'
import { isJsonObject, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'
import { createSseSplitter, type SseSplitter, sseBounds } from '../../lib/sse-split.ts'
import type { AnswerNames } from './answer-names.ts'
import { isSoundChunk } from './chunk-facts.ts'
import type { Meter } from './meter.ts'
import type { OpenedStream, RelayOptions, StreamEnd } from './opened-stream.ts'
import { rewriteChunk } from './rewrite-chunk.ts'
import { streamErrorIn } from './stream-error.ts'
import type { StreamWriter } from './stream-writer.ts'

/** After `[DONE]` an engine may close its answer, so that the connection lives on; it gets this long, and this many bytes. */
const closingMs = 1_000
const closingBytesMax = 65_536

const eventStart = Buffer.from('data: ')
const eventEnd = Buffer.from('\n\n')
const done = Buffer.from('[DONE]')
const lineFeed = 0x0a
const space = 0x20

/**
 * The lane of bytes: an engine's stream is cut into events, metered and passed on under our names, without being parsed.
 * One write per read; a slow caller pauses the engine.
 */
export function openByteLane(body: ByteStream, lane: ByteLaneOptions): Promise<OpenedStream> {
  return new Promise((resolve, reject) => {
    const sink = new ByteLane(body, lane, { opened: resolve, failed: reject })
    lane.signal.addEventListener('abort', () => sink.onFault(new EngineFault('aborted', 'the request is over')), {
      once: true,
    })
    body.consume(sink)
  })
}

export interface ByteLaneOptions {
  readonly names: AnswerNames
  readonly meter: Meter
  readonly signal: AbortSignal
}

interface Opening {
  readonly opened: (stream: OpenedStream) => void
  readonly failed: (fault: EngineFault) => void
}

class ByteLane implements ByteSink, OpenedStream {
  engineCompletionId: string | null = null
  private readonly body: ByteStream
  private readonly names: AnswerNames
  private readonly meter: Meter
  private readonly splitter: SseSplitter
  private opening: Opening | null
  private output: Buffer[] = []
  private usageChunk: Buffer | null = null
  private usageReport: Buffer | null = null
  private end: StreamEnd | null = null
  private writer: StreamWriter | null = null
  private onRead: () => void = () => undefined
  private ended: (end: StreamEnd) => void = () => undefined
  private closingBytes = 0
  private bodyClosed = false
  private closingTimer: NodeJS.Timeout | undefined

  constructor(body: ByteStream, { names, meter }: ByteLaneOptions, opening: Opening) {
    this.body = body
    this.names = names
    this.meter = meter
    this.opening = opening
    this.splitter = createSseSplitter({
      ...sseBounds,
      onEvent: (data, plain) => this.takeEvent(plain ? data : onOneLine(data)),
      onFault: reason => this.fail(`the stream broke a bound: ${reason}`),
    })
  }

  onBytes(chunk: Buffer): void {
    if (this.end !== null) {
      this.takeClosingBytes(chunk)
      return
    }
    this.splitter.push(chunk)
    // A stream that this read ended, or that was cancelled for what it brought, reports nothing more.
    if (this.end !== null) this.afterRead()
  }

  onReadEnd(): void {
    this.afterRead()
  }

  onEnd(): void {
    this.closed()
    if (this.end !== null) return
    this.splitter.end()
    this.finish('the stream ended without saying why')
    this.afterRead()
  }

  onFault(fault: EngineFault): void {
    this.closed()
    // All choices had said why they ended: only the closing of the connection was rough (venym.md §8).
    if (this.meter.isFinished) this.end ??= this.finishedEnd()
    else this.end ??= { kind: 'fault', fault }
    this.afterRead()
  }

  relay(writer: StreamWriter, { onRead, onDrain }: RelayOptions): Promise<StreamEnd> {
    this.writer = writer
    this.onRead = onRead
    onDrain(() => this.body.resume())
    return new Promise(resolve => {
      this.ended = resolve
      this.afterRead()
      if (this.end === null) this.body.resume()
    })
  }

  private takeEvent(data: Buffer): void {
    if (this.end !== null) return
    if (data.equals(done)) this.finish('the stream was closed without saying why it ended')
    else this.takeJson(data)
  }

  /** `plain`: spelled anew already. A name that JSON cannot spell without an escape is then none that matters. */
  private takeJson(data: Buffer, plain = false): void {
    const scan = scanCompletionJson(data)
    if (scan === null) this.takeBroken(data)
    else if (scan.odd && !plain) this.takeJson(plainSpelling(data), true)
    else if (scan.error !== null && !scan.error.isNull) this.failWith(streamErrorIn(data, scan.error))
    else this.takeChunk(data, scan)
  }

  /** Bytes that are not UTF-8 are replaced; what is no JSON then is none. */
  private takeBroken(data: Buffer): void {
    const repaired = repairUtf8(data)
    if (repaired === data) this.fail('a chunk is not a JSON object')
    else this.takeJson(repaired)
  }

  private takeChunk(data: Buffer, scan: CompletionScan): void {
    const usage = scan.usage === null || scan.usage.isNull ? null : scan.usage
    if (usage !== null) {
      this.usageReport = Buffer.from(data.subarray(usage.valueStart, usage.valueEnd))
      this.meter.reportUsage(parseJsonBytes(this.usageReport))
      // What is shown is the report that is billed: the latest one, wherever it stands.
      this.usageChunk = null
      if (scan.choices === null || scan.choices.isNull) return
    }
    if (usage !== null && scan.choiceCount === 0 && !scan.malformed) {
      this.usageChunk = Buffer.from(data)
      return
    }
    if (scan.choices === null || !isSoundChunk(scan, this.meter.choices)) {
      this.fail('a chunk has no sound choices')
      return
    }
    this.engineCompletionId ??= scan.id === null ? null : idText(data, scan.id)
    if (this.meter.addChunk(scan))
      this.output.push(eventStart, ...rewriteChunk(data, scan, this.names, usage !== null), eventEnd)
    else this.stopAtLimit()
  }

  private stopAtLimit(): void {
    this.end = { kind: 'over_limit' }
    this.body.cancel()
  }

  /** The engine says that it is done, or closes: a success only when every choice said why it ended (venym.md §3). */
  private finish(otherwise: string): void {
    if (this.end !== null) return
    if (this.meter.isFinished) this.end = this.finishedEnd()
    else this.fail(otherwise)
  }

  private finishedEnd(): StreamEnd {
    return { kind: 'finished', usageChunk: this.usageChunk, usageReport: this.usageReport }
  }

  private fail(problem: string): void {
    this.failWith(new EngineFault('bad_answer', problem))
  }

  private failWith(fault: EngineFault): void {
    this.end ??= { kind: 'fault', fault }
    this.body.cancel()
  }

  /** Hands on what this read brought: to the one who waits for the first chunk, or to the caller. */
  private afterRead(): void {
    if (this.opening !== null) this.settleOpening(this.opening)
    else if (this.writer !== null) this.passOn(this.writer)
  }

  private passOn(writer: StreamWriter): void {
    if (this.output.length > 0) {
      const events = Buffer.concat(this.output)
      this.output = []
      if (!writer.write(events) && this.end === null) this.body.pause()
      this.onRead()
    }
    if (this.end !== null) this.announceEnd(this.end)
  }

  private settleOpening(opening: Opening): void {
    if (this.output.length > 0) {
      this.opening = null
      if (this.end === null) this.body.pause()
      opening.opened(this)
    } else if (this.end !== null) {
      this.opening = null
      const end = this.end
      opening.failed(
        end.kind === 'fault' ? end.fault : new EngineFault('bad_answer', 'the stream ended before its first chunk'),
      )
    }
  }

  private announceEnd(end: StreamEnd): void {
    if (end.kind === 'finished' && !this.bodyClosed) this.closingTimer = setTimeout(() => this.body.cancel(), closingMs)
    const announce = this.ended
    this.ended = () => undefined
    announce(end)
  }

  private closed(): void {
    this.bodyClosed = true
    clearTimeout(this.closingTimer)
  }

  private takeClosingBytes(chunk: Buffer): void {
    this.closingBytes += chunk.length
    if (this.closingBytes > closingBytesMax) this.body.cancel()
  }
}

/** Several data lines are one text with line breaks, which JSON has between its tokens only: spaces mean the same there. */
function onOneLine(data: Buffer): Buffer {
  if (!data.includes(lineFeed)) return data
  return Buffer.from(data.map(byte => (byte === lineFeed ? space : byte)))
}

/** Names that stand twice or in escapes are written once and plainly, so that the scan and every client read the same. */
function plainSpelling(data: Buffer): Buffer {
  const parsed = parseJsonBytes(data)
  return Buffer.from(JSON.stringify(isJsonObject(parsed) ? parsed : {}))
}

function idText(data: Buffer, { valueStart, valueEnd }: { valueStart: number; valueEnd: number }): string {
  return data.toString('utf8', valueStart + 1, Math.min(valueEnd - 1, valueStart + 201))
}
