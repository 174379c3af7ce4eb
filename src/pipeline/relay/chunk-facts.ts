import { countCodePoints } from '../../lib/code-points.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** What the meter needs to know of one chunk, or of a whole answer. */
export interface ChunkFacts {
  /** Unicode code points of text delivered: content, reasoning, refusals, tool calls. */
  readonly textCharacters: number
  readonly hasText: boolean
  readonly choiceIndexes: readonly number[]
  /** Those of the choices that have said why they ended. */
  readonly finishedIndexes: readonly number[]
  /** The first reason among them. */
  readonly finishReason: string | null
  /** Something in it is of a type that no client expects; see `ChoicesScan`. */
  readonly malformed: boolean
}

/** The facts of a chunk that was parsed, for the lane of events; the lane of bytes finds the same by scanning. */
export function readChunkFacts(chunk: JsonObject): ChunkFacts {
  const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : []
  let malformed = chunk['choices'] !== undefined && !Array.isArray(chunk['choices'])
  const choiceIndexes: number[] = []
  const finishedIndexes: number[] = []
  let finishReason: string | null = null
  let textCharacters = 0
  choices.forEach((choice, position) => {
    if (!isJsonObject(choice)) {
      malformed = true
      return
    }
    const index = typeof choice['index'] === 'number' ? choice['index'] : position
    const reason = choice['finish_reason']
    malformed ||= !Number.isSafeInteger(index) || index < 0
    malformed ||= isMalformed(choice['delta']) || isMalformed(choice['message'])
    choiceIndexes.push(index)
    if (typeof reason === 'string') {
      finishedIndexes.push(index)
      finishReason ??= reason
    }
    textCharacters += textOf(choice['delta']) + textOf(choice['message'])
    if (typeof choice['text'] === 'string') textCharacters += countCodePoints(choice['text'])
  })
  return { textCharacters, hasText: textCharacters > 0, choiceIndexes, finishedIndexes, finishReason, malformed }
}

/** Whether a client can read it: a choice that nobody asked for is as little use to it as a delta that is text. */
export function isSoundChunk({ malformed, choiceIndexes }: ChunkFacts, choices: number): boolean {
  return !malformed && choiceIndexes.every(index => index < choices)
}

function isMalformed(message: JsonValue | undefined): boolean {
  if (message === undefined || message === null) return false
  if (!isJsonObject(message)) return true
  const { content } = message
  return content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)
}

function textOf(message: JsonValue | undefined): number {
  if (!isJsonObject(message)) return 0
  // Some engines spell the same reasoning under two names; it was generated once.
  const reasoning = Math.max(lengthOf(message['reasoning_content']), lengthOf(message['reasoning']))
  return (
    contentLength(message['content']) +
    reasoning +
    lengthOf(message['refusal']) +
    toolCallsLength(message['tool_calls'])
  )
}

function contentLength(content: JsonValue | undefined): number {
  if (!Array.isArray(content)) return lengthOf(content)
  return content.reduce<number>((sum, part) => sum + (isJsonObject(part) ? lengthOf(part['text']) : 0), 0)
}

function toolCallsLength(toolCalls: JsonValue | undefined): number {
  if (!Array.isArray(toolCalls)) return 0
  return toolCalls.reduce<number>((sum, call) => {
    const called = isJsonObject(call) ? call['function'] : undefined
    return isJsonObject(called) ? sum + lengthOf(called['name']) + lengthOf(called['arguments']) : sum
  }, 0)
}

function lengthOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? countCodePoints(value) : 0
}
