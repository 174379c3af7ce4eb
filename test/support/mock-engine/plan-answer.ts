import { asksForStream, asksForUsage, type EngineRequest, type JsonObject } from './engine-request.ts'
import type { SseStyle } from './sse-style.ts'
import type { HeaderList } from './step.ts'
import { type UsageFacts, type UsagePlan, usagePlans } from './usage-plans.ts'

interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text; streamed in two fragments. */
  readonly arguments: string
}

type TextPieces = string | readonly string[]

/** What a correct engine answers. Every field has a sensible default. */
export interface AnswerOptions {
  /** A string is cut into words, an array is the list of chunks as they are; a function chooses per choice index. */
  readonly text?: TextPieces | ((choice: number) => TextPieces)
  /** Instead of `text`: this many generated chunks `w0 w1 w2 …`. */
  readonly chunks?: number
  readonly reasoning?: TextPieces
  /** Name of the reasoning field. Default `reasoning_content`. */
  readonly reasoningField?: string
  readonly toolCalls?: readonly ToolCall[]
  /** Default: as the request's `logprobs`. */
  readonly logprobs?: boolean
  /** Default: as the request's `n`. */
  readonly n?: number
  /** Default `stop`, `tool_calls` or `length`. With null the engine never says one. */
  readonly finishReason?: string | null
  readonly usage?: UsagePlan
  /** Default 16. */
  readonly promptTokens?: number
  readonly cachedTokens?: number
  /** Goes on generating beyond the request's `max_tokens`. */
  readonly ignoreLimit?: boolean
  /** Default: the request's `model`. */
  readonly model?: string
  readonly id?: string
  /** Added to the completion and to every chunk, after the ordinary keys. */
  readonly extraFields?: JsonObject
  /** Pause before the first byte, in which nothing is generated. */
  readonly firstAfterMs?: number
  /** Pause before each content chunk; without stream the JSON comes after all of them. Default 0. */
  readonly everyMs?: number
  /** Default true: the stream opens with a chunk that has the role and no content. */
  readonly roleChunk?: boolean
  readonly style?: SseStyle
  /** Default `chunked` for streams, `length` for JSON. */
  readonly framing?: 'chunked' | 'length' | 'until-close'
  /** Default: what the body is. With null none is sent. */
  readonly contentType?: string | null
  readonly headers?: HeaderList
}

/** One content event: a part of one choice, worth one token. */
interface Delta {
  readonly choice: number
  readonly fields: JsonObject
  readonly logprobs: JsonObject | undefined
}

export interface AnswerPlan {
  readonly options: AnswerOptions
  readonly id: string
  readonly model: string
  /** In the order in which they are streamed: the choices take turns. */
  readonly deltas: readonly Delta[]
  readonly choices: number
  readonly finishReason: string | null
  readonly usage: ReturnType<UsagePlan>
}

const DEFAULT_TEXT = 'The mock engine answers this request.'
const DEFAULT_PROMPT_TOKENS = 16

/** Decides what a correct engine would say to this request. */
export function planAnswer(options: AnswerOptions, request: EngineRequest): AnswerPlan {
  const body = request.body ?? {}
  const choices = options.n ?? integerOr(body['n'], 1)
  const limit = options.ignoreLimit === true ? undefined : outputLimit(body)
  const perChoice = Array.from({ length: choices }, (_, choice) => choiceDeltas(choice, options, body))
  const kept = perChoice.map(deltas => deltas.slice(0, limit))
  const cut = perChoice.some((deltas, choice) => deltas.length > (kept[choice]?.length ?? 0))
  const deltas = takeTurns(kept)
  const ordinaryFinish = options.toolCalls === undefined ? 'stop' : 'tool_calls'
  const reasoningTokens = deltas.filter(delta => reasoningField(options) in delta.fields).length
  const facts: UsageFacts = {
    promptTokens: options.promptTokens ?? DEFAULT_PROMPT_TOKENS,
    completionTokens: deltas.length,
    cachedTokens: options.cachedTokens,
    reasoningTokens: options.reasoning === undefined ? undefined : reasoningTokens,
    wanted: !asksForStream(request) || asksForUsage(request),
  }
  return {
    options,
    id: options.id ?? `mock-${request.index}`,
    model: options.model ?? (typeof body['model'] === 'string' ? body['model'] : 'mock-model'),
    deltas,
    choices,
    finishReason: options.finishReason === undefined ? (cut ? 'length' : ordinaryFinish) : options.finishReason,
    usage: (options.usage ?? usagePlans.reported)(facts),
  }
}

export function reasoningField(options: AnswerOptions): string {
  return options.reasoningField ?? 'reasoning_content'
}

function choiceDeltas(choice: number, options: AnswerOptions, body: JsonObject): Delta[] {
  const withLogprobs = options.logprobs ?? body['logprobs'] === true
  const delta = (fields: JsonObject, logprobs?: JsonObject): Delta => ({ choice, fields, logprobs })
  return [
    ...cutIntoPieces(options.reasoning ?? []).map(piece => delta({ [reasoningField(options)]: piece })),
    ...textPieces(choice, options).map(piece =>
      delta({ content: piece }, withLogprobs ? { content: [tokenLogprob(piece)] } : undefined),
    ),
    ...(options.toolCalls ?? []).flatMap((call, index) => toolCallDeltas(call, index).map(fields => delta(fields))),
  ]
}

function textPieces(choice: number, options: AnswerOptions): string[] {
  if (options.chunks !== undefined) {
    if (options.text !== undefined) throw new Error('give either text or chunks')
    return Array.from({ length: options.chunks }, (_, index) => (index === 0 ? 'w0' : ` w${index}`))
  }
  const text = typeof options.text === 'function' ? options.text(choice) : options.text
  return cutIntoPieces(text ?? (options.toolCalls === undefined ? DEFAULT_TEXT : []))
}

/** Each piece is one word with the white space before it; joined they give the text again. */
function cutIntoPieces(text: TextPieces): string[] {
  return typeof text === 'string' ? (text.match(/\s*\S+(?:\s+$)?|\s+$/gu) ?? []) : [...text]
}

function toolCallDeltas(call: ToolCall, index: number): JsonObject[] {
  const middle = Math.ceil(call.arguments.length / 2)
  const fragments = [call.arguments.slice(0, middle), call.arguments.slice(middle)].filter(piece => piece !== '')
  const opening = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
  return [
    { tool_calls: [opening] },
    ...fragments.map(piece => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function tokenLogprob(token: string): JsonObject {
  return { token, logprob: -0.125, bytes: [...Buffer.from(token)], top_logprobs: [] }
}

function takeTurns(perChoice: readonly (readonly Delta[])[]): Delta[] {
  const longest = Math.max(0, ...perChoice.map(deltas => deltas.length))
  return Array.from({ length: longest }, (_, index) => perChoice.flatMap(deltas => deltas[index] ?? [])).flat()
}

function outputLimit(body: JsonObject): number | undefined {
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  return typeof limit === 'number' && limit > 0 ? limit : undefined
}

function integerOr(value: unknown, fallback: number): number {
  return Number.isInteger(value) && (value as number) > 0 ? (value as number) : fallback
}
