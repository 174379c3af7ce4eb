import type { CompletionEvent } from '../../../core/completion-event.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { ChunkMaker } from '../chunk-maker.ts'
import { type Block, createBlock } from './answer-block.ts'
import { encodeUsage } from './answer-usage.ts'

/** Why Claude stopped, in OpenAI's words. What is not here ended by itself. */
const finishReasons: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/**
 * The events of a message stream as chunks in OpenAI's form. Nothing is said before the first content, so that an engine
 * which fails until then can still be replaced.
 * @throws EngineFault for an error among the events
 */
export async function* answerEvents(
  events: AsyncIterable<JsonObject>,
  createdSeconds: number,
): AsyncGenerator<CompletionEvent> {
  const answer = new Answer(createdSeconds)
  for await (const event of events) {
    yield* answer.take(event)
    if (event['type'] === 'message_stop') return
  }
}

class Answer {
  private readonly chunks: ChunkMaker
  private readonly blocks = new Map<JsonValue | undefined, Block>()
  private readonly details: JsonObject[] = []
  private usage: JsonObject = {}
  private toolCalls = 0

  constructor(createdSeconds: number) {
    this.chunks = new ChunkMaker(createdSeconds)
  }

  take(event: JsonObject): CompletionEvent[] {
    switch (event['type']) {
      case 'message_start':
        return this.begin(event['message'])
      case 'content_block_start':
        return this.say(this.openBlock(event))
      case 'content_block_delta':
        return this.say(this.blocks.get(event['index'])?.add(event['delta']) ?? null)
      case 'content_block_stop':
        return this.closeBlock(event)
      case 'message_delta':
        return this.end(event)
      case 'error':
        throw createFault('bad_answer', { message: 'the stream of the node carries an error' })
      default:
        return []
    }
  }

  private begin(message: JsonValue | undefined): CompletionEvent[] {
    if (!isJsonObject(message)) return []
    const { id, model, usage } = message
    this.chunks.name(typeof id === 'string' ? id : '', typeof model === 'string' ? model : '')
    this.noteUsage(usage)
    return []
  }

  private openBlock({ index, content_block: content }: JsonObject): JsonObject | null {
    const block = isJsonObject(content) ? createBlock(content, this.toolCalls) : null
    if (block === null) return null
    if (block.isCall) this.toolCalls += 1
    this.blocks.set(index, block)
    return block.opening
  }

  private closeBlock({ index }: JsonObject): CompletionEvent[] {
    const block = this.blocks.get(index)
    if (block === undefined) return []
    this.blocks.delete(index)
    const detail = block.detail(typeof index === 'number' ? index : 0)
    if (detail !== null) this.details.push(detail)
    return this.say(block.closing())
  }

  /** Signed thoughts go out together: callers who keep the last list, and those who join all of them, keep the same. */
  private end({ delta, usage }: JsonObject): CompletionEvent[] {
    this.noteUsage(usage)
    const reason = isJsonObject(delta) ? delta['stop_reason'] : undefined
    if (typeof reason !== 'string') return []
    const signed: JsonObject = this.details.length === 0 ? {} : { reasoning_details: [...this.details] }
    const report = encodeUsage(this.usage)
    return [
      this.chunks.make(signed, finishReasons[reason] ?? 'stop'),
      ...(report === null ? [] : [{ type: 'usage', usage: report } as const]),
    ]
  }

  /** Counts of later events replace those of earlier ones; null is "no change". */
  private noteUsage(usage: JsonValue | undefined): void {
    if (!isJsonObject(usage)) return
    const counted = Object.entries(usage).filter(([, value]) => value !== null)
    this.usage = { ...this.usage, ...Object.fromEntries(counted) }
  }

  private say(delta: JsonObject | null): CompletionEvent[] {
    return delta === null ? [] : [this.chunks.make(delta)]
  }
}
