import type { CompletionEvent } from '../../core/completion-event.ts'
import { EngineFault } from '../../domain/engines/types.ts'
import type { JsonObject } from '../../lib/json.ts'
import { encodeSseData } from '../../lib/sse-write.ts'
import type { EventTransform } from '../transforms/transform.ts'
import type { AnswerNames } from './answer-names.ts'
import { isSoundChunk, readChunkFacts } from './chunk-facts.ts'
import { faultOf } from './fault-of.ts'
import type { Meter } from './meter.ts'
import type { OpenedStream, RelayOptions, StreamEnd } from './opened-stream.ts'
import type { StreamWriter } from './stream-writer.ts'

/**
 * The lane of events: for engines that give events, and for answers whose content must be understood. The meter stands
 * before the transforms: what is billed does not depend on what is shown.
 * @throws EngineFault when the stream fails before its first chunk
 */
export async function openEventLane(
  events: AsyncIterable<CompletionEvent>,
  lane: EventLaneOptions,
): Promise<OpenedStream> {
  const source = events[Symbol.asyncIterator]()
  const metered = lane.transform(meterEvents(source, lane.meter))[Symbol.asyncIterator]()
  const first = await metered.next()
  if (first.done === true || first.value.type === 'end')
    throw new EngineFault('bad_answer', 'the stream ended before its first chunk')
  if (first.value.type === 'fault') throw faultOf(first.value.error)
  return new EventLane(first.value, metered, lane)
}

export interface EventLaneOptions {
  readonly names: AnswerNames
  readonly meter: Meter
  readonly transform: EventTransform
}

const aborted: StreamEnd = { kind: 'fault', fault: new EngineFault('aborted', 'the request is over') }

/** Stops the stream where the meter says so; the marker is how the lane learns of it. */
const overLimit: CompletionEvent = { type: 'end' }

async function* meterEvents(source: AsyncIterator<CompletionEvent>, meter: Meter): AsyncGenerator<CompletionEvent> {
  try {
    for (;;) {
      const next = await source.next()
      if (next.done === true) return
      const event = next.value
      if (event.type === 'usage') meter.reportUsage(event.usage)
      if (event.type === 'chunk' && !meterChunk(event.chunk, meter)) return yield overLimit
      yield event
    }
  } finally {
    await source.return?.()
  }
}

/** @throws EngineFault for a chunk that no client can read */
function meterChunk(chunk: JsonObject, meter: Meter): boolean {
  const facts = readChunkFacts(chunk)
  if (!isSoundChunk(facts, meter.choices)) throw new EngineFault('bad_answer', 'a chunk has no sound choices')
  return meter.addChunk(facts)
}

class EventLane implements OpenedStream {
  readonly engineCompletionId: string | null
  private readonly first: CompletionEvent
  private readonly rest: AsyncIterator<CompletionEvent>
  private readonly lane: EventLaneOptions
  private usageChunk: Buffer | null = null
  private wake: () => void = () => undefined

  constructor(first: CompletionEvent, rest: AsyncIterator<CompletionEvent>, lane: EventLaneOptions) {
    this.first = first
    this.rest = rest
    this.lane = lane
    this.engineCompletionId = first.type === 'chunk' && typeof first.chunk['id'] === 'string' ? first.chunk['id'] : null
  }

  async relay(writer: StreamWriter, { onRead, onDrain, signal }: RelayOptions): Promise<StreamEnd> {
    onDrain(() => this.wake())
    signal.addEventListener('abort', () => this.wake(), { once: true })
    try {
      let event: CompletionEvent | null = this.first
      while (event !== null) {
        const end = this.take(event)
        if (end !== null) return end
        if (event.type === 'chunk' && !writer.write(this.encode(event.chunk)) && !signal.aborted) await this.drained()
        if (signal.aborted) return aborted
        onRead()
        const next: IteratorResult<CompletionEvent> = await this.rest.next()
        event = next.done === true ? null : next.value
      }
      return this.finish()
    } catch (error) {
      return {
        kind: 'fault',
        fault:
          error instanceof EngineFault
            ? error
            : new EngineFault('bad_answer', 'the stream broke off', { cause: error }),
      }
    } finally {
      await this.rest.return?.()
    }
  }

  private take(event: CompletionEvent): StreamEnd | null {
    switch (event.type) {
      case 'chunk':
        return null
      case 'usage':
        this.usageChunk = this.encodeUsage(event.usage)
        return null
      case 'fault':
        return { kind: 'fault', fault: faultOf(event.error) }
      case 'end':
        return event === overLimit ? { kind: 'over_limit' } : this.finish()
    }
  }

  private finish(): StreamEnd {
    if (this.lane.meter.isFinished) return { kind: 'finished', usageChunk: this.usageChunk, usageReport: null }
    return { kind: 'fault', fault: new EngineFault('bad_answer', 'the stream ended without saying why') }
  }

  private encode(chunk: JsonObject): Buffer {
    const { completionId, modelId } = this.lane.names
    return encodeSseData(JSON.stringify({ ...chunk, id: completionId, model: modelId }))
  }

  /** The last chunk says of itself what the first one said. */
  private encodeUsage(usage: JsonObject): Buffer {
    const base = this.first.type === 'chunk' ? this.first.chunk : {}
    return Buffer.from(JSON.stringify({ ...base, choices: [], usage }))
  }

  private drained(): Promise<void> {
    return new Promise(resolve => {
      this.wake = resolve
    })
  }
}
