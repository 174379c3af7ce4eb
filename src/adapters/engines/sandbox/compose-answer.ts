import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../lib/json.ts'
import { fillerOfBytes, fillerOfTokens } from './filler.ts'
import { noticeFor, refusalText } from './plain-answer.ts'
import type { ToolCall } from './plan-tool-calls.ts'
import type { SandboxRequest } from './read-request.ts'

/** Tokens beyond the limit of an answer that ignores it. */
const tokensBeyond = 64

/** A stretch of an answer that is sent token by token. */
export interface Segment {
  readonly kind: 'reasoning' | 'content' | 'refusal' | 'tool'
  readonly text: string
  /** What precedes the text; it costs one token. */
  readonly head: JsonObject | null
  /** The delta that carries a piece of the text. */
  readonly delta: (piece: string) => JsonObject
}

/** One answer of a request, before it is cut to its limit. */
export interface Answer {
  /** The first delta, without text. */
  readonly opening: JsonObject
  readonly segments: readonly Segment[]
  readonly finishReason: string
}

/** What the choice with this index says. */
export function composeAnswer(request: SandboxRequest, index: number): Answer {
  const { magic, sampling, toolCalls } = request
  const reasoning = textSegment('reasoning', fillerOfTokens(magic.reasoning ?? sampling.reasoningTokens))
  if (magic.refusal) return answerOf([reasoning, textSegment('refusal', refusalText)], null)
  const text = magicText(request)
  if (text === null && toolCalls.length > 0) {
    const segments = toolCalls.map((call, place) => toolSegment(call, { request, index, place }))
    return { ...answerOf([reasoning, ...segments], null), finishReason: 'tool_calls' }
  }
  const content = cutAtStop(text ?? request.json ?? plainText(request, index), sampling.stop)
  return answerOf([reasoning, textSegment('content', content)], '')
}

function answerOf(segments: readonly Segment[], content: '' | null): Answer {
  return { opening: { role: 'assistant', content, refusal: null }, segments, finishReason: 'stop' }
}

/** What magic inputs want to be said instead of anything else; null when they want nothing. */
function magicText({ magic, prompt, outputLimit }: SandboxRequest): string | null {
  if (magic.empty) return ''
  if (magic.large !== undefined) return fillerOfBytes(magic.large)
  if (magic.tokens !== undefined) return fillerOfTokens(magic.tokens)
  if (magic['over-limit']) return fillerOfTokens(outputLimit + tokensBeyond)
  return magic.echo ? prompt.userText : null
}

function plainText({ prompt, sampling }: SandboxRequest, index: number): string {
  const place = index === 0 ? '' : ` This is choice ${index + 1} of ${sampling.choices}.`
  return noticeFor(prompt) + place
}

function cutAtStop(text: string, stops: readonly string[]): string {
  const places = stops.map(stop => text.indexOf(stop)).filter(place => place !== -1)
  return places.length === 0 ? text : text.slice(0, Math.min(...places))
}

const deltaKeys = { reasoning: 'reasoning_content', content: 'content', refusal: 'refusal' } as const

function textSegment(kind: keyof typeof deltaKeys, text: string): Segment {
  return { kind, text, head: null, delta: piece => ({ [deltaKeys[kind]]: piece }) }
}

interface CallPlace {
  readonly request: SandboxRequest
  readonly index: number
  readonly place: number
}

function toolSegment(call: ToolCall, at: CallPlace): Segment {
  const { place } = at
  const head = { index: place, id: callId(call, at), type: 'function', function: { name: call.name, arguments: '' } }
  return {
    kind: 'tool',
    text: call.arguments,
    head: { tool_calls: [head] },
    delta: piece => ({ tool_calls: [{ index: place, function: { arguments: piece } }] }),
  }
}

/** The same for the same conversation, and different for every call in it. */
function callId({ name }: ToolCall, { request, index, place }: CallPlace): string {
  const seed = `${request.prompt.messages}:${index}:${place}:${name}`
  return `call_${createHash('sha256').update(seed).digest('hex').slice(0, 24)}`
}
