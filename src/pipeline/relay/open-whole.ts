import type { CompletionEvent } from '../../core/completion-event.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import { readWhole } from '../../domain/engines/read-answer.ts'
import { EngineFault, type EngineReply } from '../../domain/engines/types.ts'
import { scanCompletionJson } from '../../lib/chunk-scan.ts'
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'
import { collectCompletion } from '../collect-completion.ts'
import { expandCompletion } from '../expand-completion.ts'
import { guardOrder } from '../transforms/guard-order.ts'
import type { EventTransform } from '../transforms/transform.ts'
import { type ChunkFacts, isSoundChunk, readChunkFacts } from './chunk-facts.ts'
import { eventsFromSse } from './events-from-sse.ts'
import { faultOf } from './fault-of.ts'
import type { Meter } from './meter.ts'
import { hasMessages, isFinished } from './sound-completion.ts'
import { streamError, streamErrorIn } from './stream-error.ts'

/** A whole answer of an engine that is sound: valid JSON with choices and no error. Metered, not yet under our names. */
export interface WholeAnswer {
  readonly bytes: Buffer
  readonly engineCompletionId: string | null
}

export interface OpenWholeOptions {
  readonly meter: Meter
  readonly signal: AbortSignal
  /** Null where the answer passes as the engine sent it. */
  readonly steps: EventTransform | null
}

/**
 * Reads a whole answer. Engines that answer with a stream though none was asked for are understood as well.
 * @throws EngineFault when the answer is not a completion
 */
export async function openWhole(reply: EngineReply, { meter, signal, steps }: OpenWholeOptions): Promise<WholeAnswer> {
  const answer = await openReply(reply, meter, signal)
  return steps === null ? answer : { ...answer, bytes: await transformWhole(answer.bytes, steps) }
}

async function openReply(reply: EngineReply, meter: Meter, signal: AbortSignal): Promise<WholeAnswer> {
  if (reply.kind === 'events') return fromEvents(reply.events, meter)
  if (reply.contentType === 'text/event-stream') return fromEvents(eventsFromSse(reply.body, signal), meter)
  return fromBytes(await readWhole(reply.body, signal), meter)
}

/** What was metered as the engine sent it becomes what the caller sees: steps are written once, over events. */
async function transformWhole(bytes: Buffer, steps: EventTransform): Promise<Buffer> {
  const events = steps(toAsync(expandCompletion(parseObject(bytes))))
  return Buffer.from(JSON.stringify(await collectCompletion(events)))
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

function fromBytes(received: Buffer, meter: Meter): WholeAnswer {
  const bytes = repairUtf8(received)
  const scan = scanCompletionJson(bytes)
  if (scan === null) throw new EngineFault('bad_answer', 'the answer is not a JSON object')
  if (scan.odd) return fromObject(parseObject(bytes), meter)
  if (scan.error !== null && !scan.error.isNull) throw streamErrorIn(bytes, scan.error)
  if (scan.choiceCount === 0) throw new EngineFault('bad_answer', 'the answer has no choices')
  if (!scan.hasText && !hasMessages(parseObject(bytes))) throw noMessages()
  const { usage, id } = scan
  const report = usage === null ? undefined : bytes.subarray(usage.valueStart, usage.valueEnd)
  meterWhole(meter, scan, report)
  return { bytes, engineCompletionId: id === null ? null : bytes.toString('utf8', id.valueStart + 1, id.valueEnd - 1) }
}

async function fromEvents(events: AsyncIterable<CompletionEvent>, meter: Meter): Promise<WholeAnswer> {
  try {
    const completion = await collectCompletion(guardOrder(withinLimit(events, meter)))
    if (!isFinished(completion)) throw new EngineFault('bad_answer', 'the stream ended without saying why')
    // What was counted in pieces is counted once more as the whole that it became.
    meter.reset()
    return fromObject(completion, meter)
  } catch (error) {
    if (error instanceof GatewayError) throw faultOf(error)
    throw error
  }
}

/** Stops an engine that streams beyond the output limit, and says so for it (money.md §3). */
async function* withinLimit(events: AsyncIterable<CompletionEvent>, meter: Meter): AsyncGenerator<CompletionEvent> {
  for await (const event of events) {
    if (event.type === 'chunk' && !meter.addChunk(readChunkFacts(event.chunk))) {
      const choices = meter.unfinishedChoices().map(index => ({ index, delta: {}, finish_reason: 'length' }))
      yield { type: 'chunk', chunk: { choices } }
      return
    }
    yield event
  }
}

function fromObject(completion: JsonObject, meter: Meter): WholeAnswer {
  const { usage, error, id } = completion
  if (error !== undefined && error !== null) throw streamError(error)
  if (!hasMessages(completion)) throw noMessages()
  meterWhole(meter, readChunkFacts(completion), usage === undefined ? undefined : Buffer.from(JSON.stringify(usage)))
  return { bytes: Buffer.from(JSON.stringify(completion)), engineCompletionId: typeof id === 'string' ? id : null }
}

function noMessages(): EngineFault {
  return new EngineFault('bad_answer', 'the answer has a choice without a message, or no choices')
}

/** @throws EngineFault for an answer that no client can read */
function meterWhole(meter: Meter, facts: ChunkFacts, report: Buffer | undefined): void {
  if (!isSoundChunk(facts, meter.choices)) throw new EngineFault('bad_answer', 'the answer has no sound choices')
  meter.addWhole(facts)
  if (report !== undefined) meter.reportUsage(parseJsonBytes(report))
}

function parseObject(bytes: Buffer): JsonObject {
  try {
    const value = parseJsonBytes(bytes)
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
  }
  throw new EngineFault('bad_answer', 'the answer is not a JSON object')
}
