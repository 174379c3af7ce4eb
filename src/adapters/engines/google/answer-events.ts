import type { CompletionEvent } from '../../../core/completion-event.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { ChunkMaker } from '../chunk-maker.ts'
import { encodeUsage } from './answer-usage.ts'

/** Why Gemini stopped, in OpenAI's words. What is not here ended by itself. */
const finishReasons: Readonly<Record<string, string>> = {
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
}

export interface AnswerOptions {
  readonly createdSeconds: number
  /** Begins the ids of calls to which the engine gives none. */
  readonly callPrefix: string
}

/**
 * The responses of a stream as chunks in OpenAI's form; a whole answer is a stream of one response. Why it ended is said at
 * its very end, because signatures and counts may follow the reason.
 * @throws EngineFault for an error among the responses
 */
export async function* answerEvents(
  responses: AsyncIterable<JsonObject>,
  options: AnswerOptions,
): AsyncGenerator<CompletionEvent> {
  const answer = new Answer(options)
  for await (const response of responses) yield* answer.take(response)
  yield* answer.end()
}

class Answer {
  private readonly chunks: ChunkMaker
  private readonly callPrefix: string
  private calls = 0
  private signature: string | null = null
  private callSignature: string | null = null
  private finish: string | null = null
  private usage: JsonObject | null = null

  constructor({ createdSeconds, callPrefix }: AnswerOptions) {
    this.chunks = new ChunkMaker(createdSeconds)
    this.callPrefix = callPrefix
  }

  take(response: JsonObject): CompletionEvent[] {
    const { error, candidates, promptFeedback, usageMetadata, responseId, modelVersion } = response
    if (error !== undefined) throw createFault('bad_answer', { message: 'the stream of the node carries an error' })
    this.chunks.name(textOf(responseId), textOf(modelVersion))
    if (isJsonObject(usageMetadata)) this.usage = usageMetadata
    const candidate = Array.isArray(candidates) ? candidates[0] : undefined
    if (!isJsonObject(candidate)) {
      // A prompt that the API does not take has no candidate at all.
      if (isJsonObject(promptFeedback) && promptFeedback['blockReason'] !== undefined) throw createFault('policy')
      return []
    }
    const { content, finishReason } = candidate
    const parts = isJsonObject(content) && Array.isArray(content['parts']) ? content['parts'] : []
    if (typeof finishReason === 'string') this.finish = finishReasons[finishReason] ?? 'stop'
    return parts.flatMap(part => (isJsonObject(part) ? this.say(part) : []))
  }

  end(): CompletionEvent[] {
    if (this.finish === null) return []
    const signature = this.callSignature ?? this.signature
    const signed: JsonObject = signature === null ? {} : { thought_signature: signature }
    const reason = this.finish === 'stop' && this.calls > 0 ? 'tool_calls' : this.finish
    const report = this.usage === null ? null : encodeUsage(this.usage)
    return [this.chunks.make(signed, reason), ...(report === null ? [] : [{ type: 'usage', usage: report } as const])]
  }

  private say(part: JsonObject): CompletionEvent[] {
    const { text, thought, functionCall, thoughtSignature } = part
    const signature = typeof thoughtSignature === 'string' ? thoughtSignature : null
    if (isJsonObject(functionCall)) return [this.chunks.make(this.call(functionCall, signature))]
    this.signature = signature ?? this.signature
    if (typeof text !== 'string' || text === '') return []
    return [this.chunks.make({ [thought === true ? 'reasoning_content' : 'content']: text })]
  }

  /** A call comes whole. Its signature stands where the API's own OpenAI-compatible form has it, and on the message. */
  private call({ id, name, args }: JsonObject, signature: string | null): JsonObject {
    const index = this.calls
    this.calls += 1
    this.callSignature ??= signature
    const extra: JsonObject = signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }
    const call = {
      index,
      id: textOf(id) || `${this.callPrefix}_${index}`,
      type: 'function',
      function: { name: textOf(name), arguments: JSON.stringify(args ?? {}) },
      ...extra,
    }
    return { tool_calls: [call] }
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
